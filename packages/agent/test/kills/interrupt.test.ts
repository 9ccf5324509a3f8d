import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { cache, root } from '../../../../tools/node.mjs';

const main = fileURLToPath(new URL('torture-main.ts', import.meta.url));
const fromSource = fileURLToPath(new URL('../from-source.ts', import.meta.url));

/** Processes by number, with their parent and command line. */
function processes(): ReadonlyMap<number, { readonly parent: number; readonly words: string }> {
  const found = new Map<number, { readonly parent: number; readonly words: string }>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      found.set(Number(name), { parent, words: readFileSync(`/proc/${name}/cmdline`, 'utf8') });
    } catch {
      // It has ended since.
    }
  }
  return found;
}

function below(pid: number, all: ReturnType<typeof processes> = processes()): readonly string[] {
  const own = [...all].filter(([, { parent }]) => parent === pid);
  return own.flatMap(([child, { words }]) => [`${child} ${words}`, ...below(child, all)]);
}

test.skipIf(!existsSync('/proc/self/stat')).each(['file', 'postgres'])(
  'Ctrl-C ends a long run on %s, and nothing of it is left',
  async (only) => {
    const folder = mkdtempSync(join(tmpdir(), 'rethread-interrupt-'));
    // The server runs as another user if we are root.
    chmodSync(folder, 0o711);
    try {
      const args = ['--import', fromSource, main, '--only', only, '--kills', '5000'];
      const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, TMPDIR: folder } });
      let told = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (bytes: Buffer) => void (told += String(bytes)));
      const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve));
      const isAtWork = (): boolean => below(child.pid ?? 0).some((line) => line.includes('worker.mjs'));
      while (child.exitCode === null && !isAtWork()) await pause(100);
      const started = below(child.pid ?? 0);
      child.kill('SIGINT');
      expect(await ended).toBe(130);
      // On a busy machine, progress lines may have arrived as well.
      expect(told.replaceAll(/^\w+: .* refused \(\d+ s\)\n/gm, '')).toBe('\nstopping …\n');
      const now = processes();
      const isThere = (line: string): boolean =>
        now.get(Number.parseInt(line, 10))?.words === line.slice(line.indexOf(' ') + 1);
      expect(started.filter(isThere)).toEqual([]);
      expect(readdirSync(folder)).toEqual([]);
      const workshop = started.map((line) => /\0(\S*\/workers-[^/]*)\//.exec(line)?.[1]).find(Boolean) ?? '';
      expect([workshop.startsWith(cache), existsSync(workshop)]).toEqual([true, false]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  180_000,
);
