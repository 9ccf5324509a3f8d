import assert from 'node:assert/strict';

import type { Entry } from '../driver.ts';
import type { StoredRecord } from '../record.ts';
import { type Claim, about, batch, begin, entry, gather, readAll, refused, stranger, ttl } from './world.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Ids that are dangerous as a file name, a log line or SQL. */
const hostileIds: readonly string[] = [
  ['.', '..', '../escape', '../../etc/passwd', '/etc/passwd', 'a/b', 'a\\b', '\\\\host\\share', 'C:\\x', '%2e%2e%2f'],
  ['CON', 'con', 'NUL', 'aux.txt', 'COM1', 'lpt1.', 'dot.', 'space ', ' space', 'a..b', '~', '~root', '-rf', '--'],
  ['a', 'A', 'aa', 'aA', 'Aa', 'AA', 'é', 'e\u0301', 'ß', 'ss', 'ﬁ', 'fi', 'İ', 'i', 'I', 'ı', 'K', '\u212a'],
  ['\u0000', 'a\u0000b', 'a\u0000', '\n', 'a\nb', '\r\n', '\t', '\u001b[2J', '\u202e', '\ufeff', '\u2028'],
  ['\ud800', '\udfff', '\ud800a', 'a\udc00', '\ud83d\ude00', '\ufffd', '\ufffe', '\uffff'],
  ["'", "'; drop table records; --", '"', '`', '$1', '%', '_', '*', '?', '|', '<', '>', ':', '&', '#', '{}', '[]'],
  ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'null', 'undefined', '0', '-0', '1e3', 'true', 'NaN'],
  ['x'.repeat(256), 'X'.repeat(256), '/'.repeat(256), '\u0000'.repeat(256), '\ud800'.repeat(256), '漢'.repeat(256)],
  ['log.jsonl', 'lease', 'journal', 'blobs', 'quarantine', 'index', '.lock', 'head', 'rethread', 'sessions'],
].flat();

const oddTexts: readonly string[] = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\ud83d\ude00',
  '\ufeff',
  '\ufffe\uffff',
  '\n\r\u2028\u2029',
  '\u001b]0;x\u0007',
  '"\\/',
  "'; drop table records; --",
];

/** A record from another version. Drivers carry the bytes unchanged. */
const foreign = (record: Readonly<Record<string, unknown>> & { readonly seq: number }): Entry => ({
  seq: record.seq,
  id: String(record['id']),
  kind: String(record['kind']),
  bytes: new TextEncoder().encode(JSON.stringify(record)),
});

/** Every stored byte comes back exactly. */
export const bytes: readonly Claim[] = [
  [
    'every id names its own session, whatever its characters, and comes back exactly',
    async (world) => {
      const driver = await world.driver();
      for (const [index, id] of hostileIds.entries()) {
        const lease = await begin(driver, id);
        await driver.append({ ...batch(lease, 0), entries: [entry(1, index)] });
        await driver.release(lease);
      }
      const later = await world.driver();
      const listed = (await gather(later.list({}))).map(({ id }) => id);
      assert.deepEqual(new Set(listed), new Set(hostileIds));
      assert.equal(listed.length, hostileIds.length);
      for (const [index, id] of hostileIds.entries()) {
        const stored = await readAll(later, id);
        assert.deepEqual(
          stored.map((each) => hex(each.bytes)),
          [hex(entry(1, index).bytes)],
          JSON.stringify(id),
        );
        assert.equal((await later.info(id))?.id, id);
      }
    },
  ],
  [
    'NUL, lone surrogates and all other code units survive in texts, names and keys',
    async (world) => {
      const store = await world.store();
      const session = await store.create({ title: oddTexts.join('') });
      const units = Array.from({ length: 64 }, (_, row) =>
        String.fromCharCode(...Array.from({ length: 1024 }, (__, column) => row * 1024 + column)),
      );
      const data = { units, ...Object.fromEntries(oddTexts.map((text) => [text, text])) };
      for (const kind of ['note', ...oddTexts]) await session.append({ kind, data });
      const other = await world.store();
      const records = await gather((await other.session(session.id)).read());
      assert.deepEqual(
        records.map((record) => record.kind),
        ['note', ...oddTexts],
      );
      for (const record of records) assert.deepEqual(record.data, data);
      assert.equal((await (await other.session(session.id)).info()).title, oddTexts.join(''));
    },
  ],
  [
    'unknown kinds, other versions and unknown keys are carried byte for byte',
    async (world) => {
      const driver = await world.driver();
      const lease = await begin(driver, 's');
      const records = [
        { v: 1, seq: 1, id: 'a', at: about.createdAt, kind: 'from the future', data: { deep: [1, { x: null }] } },
        { v: 9, seq: 2, id: 'b', at: about.createdAt, kind: 'message', data: 1, more: { of: 'it' } },
        { v: 0, seq: 3, id: 'c', at: 'before time was written so', kind: 'message', data: { old: true } },
        { seq: 4, v: 1, kind: 'note', id: 'd', at: '', data: 'keys in another order' },
      ];
      const entries = records.map(foreign);
      await driver.append({ ...batch(lease, 0), entries });
      const later = await world.driver();
      assert.deepEqual(
        (await readAll(later, 's')).map((each) => hex(each.bytes)),
        entries.map((each) => hex(each.bytes)),
      );
      const read: StoredRecord[] = await gather((await (await world.store()).session('s')).read());
      assert.deepEqual(read, records);
    },
  ],
  [
    'large records are stored and read back unchanged, even if they repeat the same bytes',
    async (world) => {
      const driver = await world.driver();
      const lease = await begin(driver, 's');
      const sizes = [65_000, 65_536, 70_000, 70_000, 1_000_000, 5_000_000, 1, 70_000];
      const entries = sizes.map((size, index) => entry(index + 1, 'ü'.repeat(size / 2)));
      for (const [index, each] of entries.entries()) await driver.append({ ...batch(lease, index), entries: [each] });
      await driver.append({
        ...batch(lease, 8),
        entries: entries.map((_, index) => entry(9 + index, 'x'.repeat(70_000))),
      });
      const stored = await readAll(await world.driver(), 's');
      for (const [index, each] of entries.entries())
        assert.equal(hex(stored[index]?.bytes ?? new Uint8Array()), hex(each.bytes));
      assert.equal(stored.length, 16);
      const backward = await readAll(driver, 's', { backward: true });
      assert.deepEqual(
        backward.map((each) => each.bytes.length),
        stored.map((each) => each.bytes.length).toReversed(),
      );
    },
  ],
  [
    'a document with megabytes of base64 is stored, and its text can still be found',
    async (world) => {
      const store = await world.store();
      const session = await store.create({ id: 's' });
      const document = { data: 'QUJD'.repeat(2_500_000), url: `data:application/pdf;base64,${'R0hJ'.repeat(100)}` };
      await session.append([
        { kind: 'note', data: 'a needle' },
        { kind: 'note', data: { title: 'the needles', ...document } },
        { kind: 'note', data: '\u{1e922}'.repeat(600_000) },
      ]);
      assert.deepEqual((await session.load({ after: 1, limit: 1 }))[0]?.data, { title: 'the needles', ...document });
      const found = async (text: string): Promise<number[]> => (await gather(store.search(text))).map(({ seq }) => seq);
      assert.deepEqual(await found('needle'), [1, 2]);
      assert.deepEqual([await found('QUJD'), await found('R0hJ')], [[], []]);
    },
  ],
  [
    'an undamaged session verifies, whether empty or long',
    async (world) => {
      const driver = await world.driver();
      const lease = await begin(driver, 's');
      const empty = await driver.verify('s');
      assert.deepEqual([empty.records, empty.bytes, empty.damages], [0, 0, []]);
      const sent = batch(lease, 0, { count: 50 });
      await driver.append(sent);
      const { head, records, bytes: size, damages } = await (await world.driver()).verify('s');
      assert.deepEqual([head.seq, records, damages], [50, 50, []]);
      assert.equal(
        size,
        sent.entries.reduce((sum, each) => sum + each.bytes.length, 0),
      );
    },
  ],
  [
    'an erased session is gone everywhere, and its id can be used again',
    async (world) => {
      const driver = await world.driver();
      const lease = await begin(driver, 's');
      const kept = await begin(driver, 'kept');
      const secret = entry(1, 'the word is xyzzyplugh');
      await driver.append({ ...batch(lease, 0), entries: [secret, entry(2, 'y'.repeat(100_000))] });
      await driver.append({ ...batch(kept, 0), entries: [entry(1, 'y'.repeat(100_000))] });
      const erased = await driver.erase(lease);
      assert.equal(erased.records, 2);
      assert.ok(erased.bytes > 100_000);
      const later = await world.driver();
      assert.equal(await later.info('s'), undefined);
      assert.deepEqual(
        (await gather(later.list({}))).map(({ id }) => id),
        ['kept'],
      );
      assert.deepEqual(await gather(later.search({ words: ['xyzzyplugh'] })), []);
      await refused(driver.append(batch(lease, 2)), 'missing');
      await refused(readAll(driver, 's'), 'missing');
      assert.equal((await readAll(later, 'kept')).length, 1);
      const again = await begin(later, 's', stranger('another'));
      assert.equal((await later.append(batch(again, 0, { op: 'new' }))).seq, 1);
      assert.equal((await later.renew(again, ttl)).head, 1);
    },
  ],
];
