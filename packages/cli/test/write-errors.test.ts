import { spawnSync } from 'node:child_process';
import { existsSync, openSync, closeSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { bundleCommand, commandPath, createFolder, place } from './command.ts';
import { broken, healthy, lines } from './sessions.ts';

bundleCommand();
const folder = createFolder();

interface Full {
  readonly code: number | null;
  readonly stderr: string;
}

/** Runs the command with a standard output that takes nothing. */
function runFull(args: readonly string[]): Full {
  const fd = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [commandPath(), ...args], {
    stdio: ['ignore', fd, 'pipe'],
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  closeSync(fd);
  return { code: status, stderr };
}

const sentence = 'rethread: the output cannot be written: the disk is full\n';

describe.runIf(existsSync('/dev/full'))('output that cannot be written is told as that', () => {
  test.each([
    ['slice', ['--last', '1']],
    ['slice', ['--last', '1', '--json']],
    ['turns', []],
    ['turns', ['--json']],
    ['compact', ['--dry-run']],
    ['compact', ['--dry-run', '--json']],
    ['convert', ['--to', 'openai-chat']],
    ['convert', ['--to', 'openai-chat', '--json']],
    ['judge', []],
    ['judge', ['--json']],
    ['doctor', []],
    ['doctor', ['--json']],
  ])('%s %j', (command, flags) => {
    const { path } = place(folder, 'session.jsonl', lines(command === 'doctor' ? broken : healthy));
    const { code, stderr } = runFull([command, path, ...flags]);
    expect([code, stderr]).toEqual([2, sentence]);
  });

  test.each([[['explain']], [['--help']], [['demo']], [['simulate', '--port', '0']]])('%j', (args) => {
    const { code, stderr } = runFull(args);
    expect([code, stderr]).toEqual([2, sentence]);
  });

  test('a large session, which is examined in another thread', () => {
    const large = lines([...broken, ...Array.from({ length: 50_000 }, () => healthy).flat()]);
    const { path } = place(folder, 'large.jsonl', large);
    expect(runFull(['doctor', path])).toEqual({ code: 2, stderr: sentence });
  });

  test('standard error that cannot be written changes no exit code', () => {
    const { path } = place(folder, 'session.jsonl', lines(healthy));
    const fd = openSync('/dev/full', 'w');
    const stdio = ['ignore', 'pipe', fd] as const;
    const args = [commandPath(), 'slice', path, '--last', '1'];
    const { status, stdout } = spawnSync(process.execPath, args, { stdio: [...stdio], encoding: 'utf8' });
    closeSync(fd);
    expect([status, stdout.includes('Thank you.')]).toEqual([0, true]);
  });
});

describe.runIf(process.platform === 'linux')(
  'a new file that cannot be written is named, and half of it does not stay',
  () => {
    const large = lines(Array.from({ length: 3000 }, () => healthy).flat());

    test.each([
      ['slice', ['--from', '0']],
      ['convert', ['--to', 'openai-chat']],
      ['compact', ['--budget', '900000', '--no-model']],
    ])('%s', (command, flags) => {
      const { path, files } = place(folder, 'session.jsonl', large);
      const out = join(dirname(path), 'out.json');
      const line = [process.execPath, commandPath(), command, path, ...flags, '-o', out].map((word) => `"${word}"`);
      const limited = `ulimit -f 100; trap '' XFSZ; exec ${line.join(' ')}`;
      const { status, stderr } = spawnSync('bash', ['-c', limited], { encoding: 'utf8' });
      expect([status, stderr]).toEqual([
        2,
        `rethread: ${out} cannot be written: the file system allows no file that large\n`,
      ]);
      expect(files()).toEqual(['session.jsonl']);
    });

    test('compact names the file that is there already, and not the session', () => {
      const { path } = place(folder, 'session.jsonl', lines(healthy));
      const args = [commandPath(), 'compact', path, '--no-model', '-o', path];
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      expect([status, stderr]).toEqual([2, `rethread: ${path} is there already; name another file\n`]);
    });
  },
);
