import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

import type { Driver } from '../src/driver.ts';
import { openPostgres } from '../src/drivers/postgres.ts';
import { fromStoredText, toStoredText } from '../src/drivers/sql/stored-text.ts';
import { openSqlite } from '../src/drivers/sqlite.ts';
import { createEnvironment } from '../src/environment.ts';
import { decodeRecord, encodeRecord } from '../src/record.ts';
import { freshDatabase } from './postgres-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'rethread-bytes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = createEnvironment();
const options = { environment, durability: 'strict' } as const;
const drivers: Readonly<Record<string, () => Promise<Driver>>> = {
  SQLite: () => openSqlite(`sqlite:${join(folder, 'sessions.db')}`, options),
  PostgreSQL: async () => openPostgres(await freshDatabase(), options),
};

/** Every code unit alone, doubled and next to others: all surrogates in every combination, and NUL. */
const everyUnit = Array.from({ length: 0x1_0000 }, (_, unit) =>
  String.fromCharCode(unit, unit, (unit + 1) % 0x1_0000, 0x61, unit),
);

/** Deterministic pseudo-random numbers. */
function* noise(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state >>> 8;
  }
}

/** Units are often drawn from places where encodings break. */
const randomTexts = (count: number): string[] => {
  const draw = noise(1);
  const next = (): number => draw.next().value;
  const unit = (): number =>
    [next() % 0x1_0000, 0xd800 + (next() % 0x800), next() % 0x80, 0xfff0 + (next() % 16)][next() % 4] ?? 0;
  return Array.from({ length: count }, () => String.fromCharCode(...Array.from({ length: next() % 12 }, unit)));
};

test('different strings become different texts, and each text decodes to its string', () => {
  const texts = [...everyUnit, ...randomTexts(50_000), '\u241a', '\u241a0000', '\0', '\u241ad800', '\ud800'];
  const strings = new Set(texts);
  const stored = new Set([...strings].map(toStoredText));
  expect(stored.size).toBe(strings.size);
  for (const text of strings) if (fromStoredText(toStoredText(text)) !== text) throw new Error(JSON.stringify(text));
  for (const text of stored) if (text.includes('\0') || !text.isWellFormed()) throw new Error(JSON.stringify(text));
});

test.each(Object.entries(drivers))('every code unit and random texts survive %s unchanged', async (_, open) => {
  const driver = await open();
  await driver.create('s', { createdAt: 'then', base: 0 });
  const lease = await driver.acquire('s', environment.owner(), 60_000);
  const texts = [...everyUnit, ...randomTexts(50_000)];
  const each = 4_096;
  const sent: string[][] = [];
  for (let from = 0; from < texts.length; from += each) sent.push(texts.slice(from, from + each));
  for (const [index, data] of sent.entries()) {
    const seq = index + 1;
    const bytes = encodeRecord({ seq, id: `${seq}`, at: 'now', kind: 'note', data });
    await driver.append({
      entries: [{ seq, id: `${seq}`, kind: 'note', bytes }],
      lease,
      expect: index,
      info: { updatedAt: 'now' },
    });
  }
  const read: unknown[] = [];
  for await (const page of driver.read('s', {})) read.push(...page.map(({ bytes }) => decodeRecord(bytes)?.data));
  expect(read.length).toBe(sent.length);
  for (const [index, data] of sent.entries())
    if (JSON.stringify(read[index]) !== JSON.stringify(data)) throw new Error(`${index}`);
  await driver.close();
});
