import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { alone } from '../../../tools/alone.mjs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];

const find = (): string | undefined => PLACES.find((path) => existsSync(path));

function install(): void {
  const options: ExecFileSyncOptions = {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  execFileSync('apt-get', ['update', '-q'], options);
  execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], options);
}

const canInstall = (): boolean =>
  process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/**
 * The browser of this machine. On a Debian machine without one it is installed, where that is allowed; elsewhere the
 * tests that need it are skipped, and a sentence says so.
 */
export async function findChromium(): Promise<string | undefined> {
  if (find() !== undefined) return find();
  if (!canInstall()) {
    console.warn('No Chromium: the tests of the page are skipped. On Debian: apt-get install chromium');
    return undefined;
  }
  return alone(
    async () => {
      try {
        if (find() === undefined) install();
      } catch (error) {
        console.warn(
          `Chromium cannot be installed, so the tests of the page are skipped: ${String(error).slice(0, 300)}`,
        );
      }
      return find();
    },
    join(tmpdir(), 'rethread-chromium-lock'),
  );
}
