import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, openSync, closeSync, ftruncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { at } from '../../kills/entry.ts';
import { openDriver } from '../../kills/open-driver.ts';
import { add, must, type Tally } from './world.ts';

const appender = fileURLToPath(new URL('../../kills/appender.ts', import.meta.url));

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (error !== undefined || status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout.trim();
}

/** Why no image can be mounted here; undefined if one can. */
function obstacle(): string | undefined {
  if (process.platform !== 'linux') return 'images are mounted on Linux only';
  if (process.getuid?.() !== 0) return 'only root may mount an image';
  const needed = ['mkfs.ext4', 'losetup', 'mount', 'umount'];
  const absent = needed.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
  return absent.length === 0 ? undefined : `${absent.join(', ')} not found`;
}

/** Mounts an image, runs an action, and always unmounts it. */
async function mounted<T>(image: string, folder: string, action: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true });
  run('mount', '-o', 'loop', image, folder);
  try {
    return await action();
  } finally {
    run('umount', '-l', folder);
  }
}

/** Appends on a mounted image and copies the image meanwhile: the copy is the state after a power failure. */
async function appendAndCopy(image: string, folder: string, copy: string): Promise<number> {
  return mounted(image, folder, async () => {
    const url = `file:${join(folder, 'store')}`;
    const driver = await openDriver(url);
    if ((await driver.head('s')) === undefined) await driver.create('s', { createdAt: at, base: 0 });
    await driver.close();
    const child = spawn(process.execPath, [appender, url, 's'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    const ended = new Promise((resolve) => void child.on('close', resolve));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    while (printed.split('\n').length < 20) await pause(10);
    // Only records printed before the copy started must be in it.
    const before = printed.split('\n').slice(0, -1);
    copyFileSync(image, copy);
    child.kill('SIGKILL');
    await ended;
    return before.reduce((most, line) => Math.max(most, Number(line)), 0);
  });
}

/** Repeats a power failure of a real file system, if possible; otherwise says why not. */
export async function powerCuts(root: string, count: number, tally: Tally): Promise<void> {
  const why = obstacle();
  if (why !== undefined) {
    process.stdout.write(`real-power-cuts: SKIPPED: ${why}\n`);
    add(tally, 'skipped');
    return;
  }
  for (let round = 0; round < count; round += 1) {
    const image = join(root, `disk-${round}.img`);
    const file = openSync(image, 'w');
    ftruncateSync(file, 96 * 1024 * 1024);
    closeSync(file);
    run('mkfs.ext4', '-q', '-F', image);
    const copy = join(root, `copy-${round}.img`);
    const acknowledged = await appendAndCopy(image, join(root, `live-${round}`), copy);
    await mounted(copy, join(root, `after-${round}`), async () => {
      const driver = await openDriver(`file:${join(root, `after-${round}`, 'store')}`);
      let stored = 0;
      for await (const records of driver.read('s', {})) stored += records.length;
      must(stored >= acknowledged, () => `round ${round}: ${acknowledged} acknowledged, ${stored} stored`);
      const { damages } = await driver.verify('s');
      must(
        damages.every(({ kind }) => kind === 'torn-tail'),
        () => `round ${round}: ${JSON.stringify(damages)}`,
      );
      await driver.close();
    });
    add(tally, 'real power cuts');
    add(tally, 'acknowledged before them', acknowledged);
  }
}
