import { spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { check, repair } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { faultOf } from '../src/doctor/fault.ts';
import { type Session, readSession } from '../src/files/read-session.ts';
import { fromChunks } from '../src/files/source.ts';
import { bundleCommand, commandPath, createFolder, place, run } from './command.ts';
import { broken, call, healthy, lines, more, question } from './sessions.ts';

bundleCommand();
const parent = createFolder();
const repaired = repair(broken).output;
const mark = '\uFEFF';

describe('--fix', () => {
  test.each([
    ['lines', lines(broken), lines(repaired)],
    ['lines that end in CR LF', lines(broken, '\r\n'), lines(repaired, '\r\n')],
    ['lines after a byte order mark', mark + lines(broken), mark + lines(repaired)],
    ['lines without a final newline', lines(broken).trimEnd(), lines(repaired).trimEnd()],
    ['lines with a torn one', `${lines(broken)}{"role":"assist`, lines(repaired)],
    ['healthy lines with a torn one', `${lines(healthy)}{"role":"assist`, lines(healthy)],
    ['lines with one that is not JSON', lines(broken).replace('\n', '\n\0\0\0\n'), lines(repaired)],
    ['a list without indentation', JSON.stringify(broken), JSON.stringify(repaired)],
    ['a list indented by 2', `${JSON.stringify(broken, null, 2)}\n`, `${JSON.stringify(repaired, null, 2)}\n`],
    ['a list indented by 4', JSON.stringify(broken, null, 4), JSON.stringify(repaired, null, 4)],
    ['a list indented by tabs', JSON.stringify(broken, null, '\t'), JSON.stringify(repaired, null, '\t')],
  ])('repairs %s in the form it has', async (_, before, after) => {
    const { path, files } = place(parent, 'session', before);
    chmodSync(path, 0o640);
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    const ended = await run(['doctor', '--fix', path]);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(readFileSync(path, 'utf8')).toBe(after);
    expect(readFileSync(`${path}.rethread-backup`, 'utf8')).toBe(before);
    expect(statSync(path).mode & 0o7777).toBe(0o640);
    expect(statSync(path).mtimeMs).toBe(1_700_000_000_000);
    expect(files()).toEqual(['session', 'session.rethread-backup']);
    expect((await run(['doctor', path])).code).toBe(0);
    expect((await run(['doctor', '--undo', path])).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(files()).toEqual(['session']);
  });

  test('repairs the messages of a body and keeps what is around them', async () => {
    const tools = [{ name: 'bash', description: 'runs a command', input_schema: { type: 'object' } }];
    const body = { model: 'claude-sonnet-4-5', max_tokens: 10, tools, messages: broken };
    const { path } = place(parent, 'body.json', JSON.stringify(body, null, 2));
    expect((await run(['doctor', '--fix', path])).code).toBe(0);
    const written = JSON.parse(readFileSync(path, 'utf8')) as typeof body;
    expect(written).toEqual({ ...body, messages: written.messages });
    expect(check(written).verdict).toBe('clean');
    expect(readFileSync(path, 'utf8')).toBe(JSON.stringify(written, null, 2));
  });

  test('leaves the bytes of messages that did not change alone', async () => {
    const odd = String.raw`{ "role":"user",  "content":"caf\u00e9" }`;
    const { path } = place(parent, 'odd.jsonl', `${odd}\n\n${lines([call, more])}`);
    expect((await run(['doctor', '--fix', path])).code).toBe(0);
    expect(readFileSync(path, 'utf8').startsWith(`${odd}\n\n${JSON.stringify(call)}\n`)).toBe(true);
  });

  test('writes nothing where nothing is wrong', async () => {
    const { path, files } = place(parent, 'good.json', JSON.stringify(healthy));
    expect((await run(['doctor', '--fix', path])).code).toBe(0);
    expect(files()).toEqual(['good.json']);
  });

  test('says what was torn away and where it is kept', async () => {
    const { path } = place(parent, 'torn.jsonl', `${lines(healthy)}{"role":"assist`);
    const { stdout } = await run(['doctor', '--fix', path]);
    expect(stdout).toContain('line 6  rejected  torn-last-line  line 6 is half written (15 bytes)');
    expect(stdout).toContain(`The original is in ${path}.rethread-backup.`);
  });

  test('tells of the system text that a bare list has no place for', async () => {
    const { path } = place(
      parent,
      'system.json',
      JSON.stringify([{ role: 'system', content: 'Be brief.' }, ...healthy]),
    );
    const ended = await run(['doctor', '--fix', '--dialect', 'anthropic-messages', path]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('is not in the repaired list; the backup keeps it');
    expect(ended.stdout).toContain('Be brief.');
    expect(readFileSync(path, 'utf8')).not.toContain('Be brief.');
    expect(readFileSync(`${path}.rethread-backup`, 'utf8')).toContain('Be brief.');
  });

  test('refuses a symbolic link, and --undo does too', async () => {
    const { path, files } = place(parent, 'session.json', JSON.stringify(broken));
    const link = join(dirname(path), 'link.json');
    symlinkSync(path, link);
    for (const flag of ['--fix', '--undo']) {
      const ended = await run(['doctor', flag, link]);
      expect([ended.code, ended.stderr]).toEqual([
        2,
        `rethread: ${link} is a symbolic link; name the file it points to\n`,
      ]);
    }
    expect([files(), readFileSync(path, 'utf8')]).toEqual([['link.json', 'session.json'], JSON.stringify(broken)]);
  });

  test('refuses standard input', async () => {
    const ended = await run(['doctor', '--fix', '-'], { input: JSON.stringify(broken) });
    expect([ended.code, ended.stderr]).toEqual([
      2,
      'rethread: standard input cannot be changed; write the repaired history to a file with --out\n',
    ]);
  });

  test.runIf(existsSync('/proc/self/fd'))('leaves a file alone that another process has open', async () => {
    const { path, files } = place(parent, 'live.json', JSON.stringify(broken));
    const fd = openSync(path, 'a');
    const ended = await run(['doctor', '--fix', path]);
    closeSync(fd);
    expect([ended.code, ended.stderr]).toEqual([
      2,
      `rethread: ${path} is open in process ${process.pid}, so it was left alone; end that first\n`,
    ]);
    expect([files(), readFileSync(path, 'utf8')]).toEqual([['live.json'], JSON.stringify(broken)]);
  });

  test.runIf(process.platform === 'linux')('a full disk leaves nothing behind', async () => {
    const { path, files } = place(
      parent,
      'large.jsonl',
      lines([...broken, ...Array.from({ length: 2000 }, () => question)]),
    );
    const before = readFileSync(path);
    const limited = `ulimit -f 100; trap '' XFSZ; exec "${process.execPath}" "${commandPath()}" doctor --fix "${path}"`;
    const child = spawn('bash', ['-c', limited]);
    let stderr = '';
    child.stderr.on('data', (chunk: Uint8Array) => {
      stderr += Buffer.from(chunk).toString();
    });
    const code = await new Promise((done) => child.once('close', done));
    expect(code).toBe(2);
    expect(stderr).toContain('the file system allows no file that large; it is unchanged');
    expect(files()).toEqual(['large.jsonl']);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('--undo', () => {
  test('without a backup says so', async () => {
    const { path } = place(parent, 'session.json', JSON.stringify(broken));
    const ended = await run(['doctor', '--undo', path]);
    expect([ended.code, ended.stderr]).toEqual([2, `rethread: ${path} has no backup to restore\n`]);
  });

  test('brings a session back that is not there any more', async () => {
    const { path, files } = place(parent, 'session.json', JSON.stringify(broken));
    await run(['doctor', '--fix', path]);
    rmSync(path);
    const ended = await run(['doctor', '--undo', path]);
    expect([ended.code, ended.stdout]).toEqual([0, `${path}: restored from ${path}.rethread-backup\n`]);
    expect(files()).toEqual(['session.json']);
    expect(readFileSync(path, 'utf8')).toBe(JSON.stringify(broken));
    rmSync(path);
    const again = await run(['doctor', '--undo', path]);
    expect([again.code, again.stderr]).toEqual([2, `rethread: ${path} cannot be read: no such file\n`]);
  });

  test('keeps a session that went on after the repair', async () => {
    const { path, files } = place(parent, 'session.jsonl', lines(broken));
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    await run(['doctor', '--fix', path]);
    appendFileSync(path, lines([{ role: 'assistant', content: 'You are welcome.' }]));
    const ended = await run(['doctor', '--undo', path]);
    expect(ended.stdout).toContain(`that version is now ${path}.rethread-undone`);
    expect(files()).toEqual(['session.jsonl', 'session.jsonl.rethread-undone']);
    expect(readFileSync(path, 'utf8')).toBe(lines(broken));
  });
});

describe('Ctrl-C', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends a command that waits for input with %i', async (signal, expected) => {
    const child = spawn(process.execPath, [commandPath(), 'doctor', '-']);
    await sleep(300);
    child.kill(signal);
    const ended = await new Promise<{ code: number | null; by: string | null }>((done) =>
      child.once('close', (code, by) => done({ code, by })),
    );
    expect(ended.code ?? (ended.by === signal ? expected : ended.by)).toBe(expected);
  });

  test.each([
    ['turns'],
    ['slice --last 1'],
    ['convert --to anthropic-messages'],
    ['compact --no-model --dry-run --budget 1000000'],
  ])('ends %s in the middle of a large file, which is worked on in one go', async (words) => {
    const { path } = place(parent, 'session.json', JSON.stringify(broken));
    // Whatever listens is told only when the work is done; where nobody does the process ends at once.
    const told = 'process.on("exit",()=>console.error("listeners:",process.listenerCount("SIGINT")))';
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(told)}` };
    const { code, stderr } = await run([...words.split(' '), path], { env });
    expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([0, 'listeners: 0']);
  });

  test('at any moment of a repair leaves either the original alone or the repaired file with its backup', async () => {
    const text = { role: 'user', content: 'x'.repeat(2000) };
    const content = lines([
      ...broken,
      ...Array.from({ length: 8000 }, () => [{ role: 'assistant', content: 'ok' }, text]).flat(),
    ]);
    const seen = new Set<string>();
    for (const delay of [60, 120, 180, 240, 300, 400]) {
      const { path, files } = place(parent, 'session.jsonl', content);
      const child = spawn(process.execPath, [commandPath(), 'doctor', '--fix', path]);
      const ending = new Promise<number | null>((done) => child.once('close', done));
      await sleep(delay);
      child.kill('SIGINT');
      const code = await ending;
      const left = files().join(' ');
      seen.add(left);
      if (left === 'session.jsonl') expect(readFileSync(path, 'utf8') === content).toBe(true);
      else expect(readFileSync(`${path}.rethread-backup`, 'utf8') === content).toBe(true);
      expect(['session.jsonl', 'session.jsonl session.jsonl.rethread-backup']).toContain(left);
      expect([0, 130, null]).toContain(code);
    }
    expect(seen.has('session.jsonl')).toBe(true);
  });
});

test('a name too long to get an ending is told of, and the session stays', async () => {
  const { path, files } = place(parent, 'a'.repeat(250), JSON.stringify(broken));
  const ended = await run(['doctor', '--fix', path]);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('could not be repaired on disk: the name is too long; it is unchanged');
  expect(readFileSync(path, 'utf8')).toBe(JSON.stringify(broken));
  expect(files()).toHaveLength(1);
});

test('what does not pass the check is told with the reason', () => {
  const read = (content: string): Session => readSession(fromChunks([Buffer.from(content)]));
  const target = { dialect: 'anthropic-messages' } as const;
  expect(faultOf(read(lines(healthy)), healthy, target)).toBeUndefined();
  expect(faultOf(read(`${lines(healthy)}{"ro`), healthy, target)).toBe('line 6 is half written (4 bytes)');
  expect(faultOf(read(lines(healthy)), broken, target)).toBe('it reads back as something else');
  expect(faultOf(read(lines(broken)), broken, target)).toMatch(/^m1\.1 call-without-result: /);
});
