import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Driver } from '../../src/driver.ts';
import { at, entryBy } from './entry.ts';
import { openDriver } from './open-driver.ts';

const appender = fileURLToPath(new URL('appender.ts', import.meta.url));

export type Kills = {
  readonly kills: number;
  readonly acknowledged: number;
  /** Stored but not acknowledged, because the child was killed first. */
  readonly more: number;
  readonly slowestOpenMs: number;
};

/** Lets a child append until it is killed at a random moment; returns the highest number it printed. */
async function killOnce(url: string, session: string, delayMs: number): Promise<number> {
  const child = spawn(process.execPath, [appender, url, session], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [printed, errors] = ['', ''];
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    child.on('close', (_code, signal) => resolve(signal));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (printed === '') setTimeout(() => child.kill('SIGKILL'), delayMs);
    printed += text;
  });
  if ((await ended) !== 'SIGKILL') throw new Error(`the child ended by itself:\n${errors}`);
  // The last line may be half a number.
  const lines = printed.split('\n').slice(0, -1);
  return lines.reduce((most, line) => Math.max(most, Number(line)), 0);
}

/** From one number on, records must be consecutive, complete, and those of their writer. */
async function readOn(driver: Driver, session: string, after: number): Promise<number> {
  let seq = after;
  for await (const records of driver.read(session, { after })) {
    for (const record of records) {
      seq += 1;
      const text = Buffer.from(record.bytes).toString();
      const writer = /"id":"(\d+)-/.exec(text)?.[1] ?? '';
      const expected = Buffer.from(entryBy(writer, seq).bytes).toString();
      if (record.seq !== seq || text !== expected) throw new Error(`record ${record.seq} where ${seq} should be`);
    }
  }
  return seq;
}

/** Kills that many writers in sequence and checks every acknowledged record after each. */
export async function killOften(url: string, kills: number, session: string = 'killed'): Promise<Kills> {
  const first = await openDriver(url);
  await first.create(session, { createdAt: at, base: 0 });
  await first.close();
  let [stored, acknowledged, more, slowestOpenMs] = [0, 0, 0, 0];
  for (let round = 0; round < kills; round += 1) {
    const highest = await killOnce(url, session, (round * 7) % 40);
    const started = performance.now();
    const driver = await openDriver(url);
    const found = await readOn(driver, session, stored);
    slowestOpenMs = Math.max(slowestOpenMs, performance.now() - started);
    await driver.close();
    if (found < highest) throw new Error(`kill ${round + 1}: record ${highest} was acknowledged, ${found} are there`);
    acknowledged += highest - stored;
    more += found - highest;
    stored = found;
  }
  const last = await openDriver(url);
  if ((await readOn(last, session, 0)) !== stored) throw new Error('the whole is not the sum of its parts');
  const { damages } = await last.verify(session);
  if (damages.some(({ kind }) => kind !== 'torn-tail')) throw new Error(JSON.stringify(damages));
  await last.close();
  return { kills, acknowledged, more, slowestOpenMs: Math.round(slowestOpenMs) };
}
