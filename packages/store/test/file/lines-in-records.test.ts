import { mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { nameOf } from '../../src/drivers/file/layout.ts';
import { encodeLine } from '../../src/drivers/file/line.ts';
import { type Store, open } from '../../src/index.ts';

const around = mkdtempSync(join(tmpdir(), 'rethread-lines-'));
afterAll(() => rmSync(around, { recursive: true }));

let places = 0;
const note = (data: unknown): { kind: string; data: unknown } => ({ kind: 'note', data });
const openAt = (place: string): Promise<Store> => open(`file:${place}`, { durability: 'os' });

/** As an agent stores them that has read such a log. */
const foreign = Array.from({ length: 1_500 }, (_, index) => {
  const record = Buffer.from(JSON.stringify({ v: 1, seq: index + 1, data: 'a line of another log' }));
  return JSON.parse(encodeLine({ seq: index + 1, record }, index).bytes.toString()) as unknown;
});

/** Every second record is longer than the seek buffer, so that a seek lands inside one. */
async function fill(): Promise<{ place: string; log: string }> {
  const place = join(around, `place-${(places += 1)}`);
  const store = await openAt(place);
  const session = await store.create({ id: 'reader' });
  for (let index = 0; index < 12; index += 1) await session.append([note(index), note(foreign)]);
  await store.close();
  return { place, log: join(place, 'sessions', nameOf('reader'), 'log.jsonl') };
}

const seqs = Array.from({ length: 24 }, (_, index) => index + 1);
const seqsOf = (records: readonly { readonly seq: number }[]): number[] => records.map(({ seq }) => seq);

describe('records that quote the lines of another log', () => {
  test('are readable from any record', async () => {
    const store = await openAt((await fill()).place);
    const session = await store.session('reader');
    for (const at of seqs) {
      expect(seqsOf(await session.load({ after: at }))).toEqual(seqs.slice(at));
      expect(seqsOf(await session.load({ before: at, backward: true }))).toEqual(seqs.slice(0, at - 1).toReversed());
    }
    await store.close();
  });

  test('are not mistaken for records of this log when the quoting record is damaged', async () => {
    const { place, log } = await fill();
    const bytes = readFileSync(log);
    // One bit in the head of the third last record; everything it quotes is sound.
    const at = bytes.lastIndexOf('{"v":1,"seq":22,"id"') + 2;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    writeFileSync(log, bytes);
    const store = await openAt(place);
    const session = await store.session('reader');
    const { damages } = await session.verify();
    expect(damages.map(({ seq }) => seq)).toEqual([22]);
    await session.mend('salvage');
    expect(seqsOf(await session.load())).toEqual(seqs.filter((seq) => seq !== 22));
    await store.close();
  });

  test('are torn by a crash like all others', async () => {
    const { place, log } = await fill();
    const bytes = readFileSync(log);
    unlinkSync(join(place, 'sessions', nameOf('reader'), 'head.json'));
    writeFileSync(log, bytes.subarray(0, -100));
    const store = await openAt(place);
    const session = await store.session('reader');
    expect(seqsOf(await session.load())).toEqual(seqs.slice(0, 22));
    expect((await session.append(note('more'))).seq).toBe(23);
    expect((await session.verify()).ok).toBe(true);
    await store.close();
  });
});
