import { describe, expect, test } from 'vitest';

import { encodeLine, readLine, type Tip } from '../../src/drivers/file/line.ts';
import { ForwardScan } from '../../src/drivers/file/scan.ts';
import type { Source } from '../../src/drivers/file/byte-source.ts';

/** A log long enough that lines are proved in groups. Most lines are short; some fill a group alone. */
const makeLog = (link: number): { bytes: Buffer; starts: number[] } => {
  const lines: Buffer[] = [];
  const starts: number[] = [];
  let [crc, size] = [link, 0];
  for (let seq = 1; size < 1_500_000; seq += 1) {
    const text = 'words '.repeat(seq % 500 === 0 ? 3_000 : 20 + ((seq * 7) % 90));
    const record = Buffer.from(JSON.stringify({ seq, text }));
    const meta = seq % 50 === 0 ? { op: `op ${seq}` } : seq % 4 === 0 ? undefined : { more: 4 - (seq % 4) };
    const line = encodeLine({ seq, record, meta }, crc);
    starts.push(size);
    lines.push(line.bytes);
    ({ crc } = line);
    size += line.bytes.length;
  }
  return { bytes: Buffer.concat(lines), starts };
};

const sourceOf = (bytes: Buffer): Source => ({
  size: bytes.length,
  read: (into, at) => bytes.copy(into, 0, at, Math.min(bytes.length, at + into.length)),
});

const link = 0x1234abcd;
const log = makeLog(link);
const before: Tip = { offset: 0, seq: 0, crc: link };

type Taken = { readonly seqs: number; readonly end: number };

/** The number of lines from a tip on, and where the last one ends. */
const scan = (bytes: Buffer, from: Tip): Taken => {
  const walk = new ForwardScan(sourceOf(bytes), from);
  let seqs = 0;
  while (
    walk.step(({ fields, bytes: shown }) => {
      seqs += 1;
      expect(shown.subarray(fields.recordAt, fields.recordAt + 8).toString()).toBe(
        `{"seq":${`${fields.seq}`.slice(0, 1)}`,
      );
    })
  );
  return { seqs, end: walk.tip.offset };
};

/** The same, line by line. */
const walk = (bytes: Buffer, from: Tip): Taken => {
  let { offset, seq, crc } = from;
  for (let seqs = 0; ; seqs += 1) {
    const to = bytes.indexOf(10, offset);
    const line = to < 0 ? undefined : readLine(bytes, offset, to);
    if (line === undefined || line.link !== crc || line.seq !== seq + 1) return { seqs, end: offset };
    [offset, seq, crc] = [to + 1, line.seq, line.crc];
  }
};

/** The tip before a line. */
const tipAt = (index: number): Tip => {
  const offset = log.starts[index] ?? 0;
  const line = readLine(log.bytes, offset, log.bytes.indexOf(10, offset));
  return { offset, seq: index, crc: line?.link ?? 0 };
};

test('a long undamaged log is read to its end', () => {
  const whole = { seqs: log.starts.length, end: log.bytes.length };
  expect(scan(log.bytes, before)).toEqual(whole);
  expect(walk(log.bytes, before)).toEqual(whole);
});

test('of lines proved together, exactly those before a wrong bit are accepted', () => {
  const bytes = Buffer.from(log.bytes);
  const first = 600;
  const tip = tipAt(first);
  const from = tip.offset;
  let [checked, index] = [0, first];
  for (let at = from; at < from + 3_000; at += 1) {
    while ((log.starts[index + 1] ?? Infinity) <= at) index += 1;
    for (const bit of [1, 2, 4, 8, 16, 32, 64, 128]) {
      bytes[at] = (bytes[at] ?? 0) ^ bit;
      const walked = new ForwardScan(sourceOf(bytes), tip);
      let seqs = 0;
      while (walked.step(() => void (seqs += 1)));
      if (walked.tip.offset !== log.starts[index] || seqs !== index - first) throw new Error(`byte ${at}, bit ${bit}`);
      bytes[at] = (bytes[at] ?? 0) ^ bit;
      checked += 1;
    }
  }
  expect(checked).toBe(24_000);
});

describe('several damages at once', () => {
  const random = (seed: number): (() => number) => {
    let state = seed;
    return () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) / 2 ** 32;
    };
  };

  test('are found where a line-by-line reader finds them', () => {
    const chance = random(11);
    for (let round = 0; round < 2_000; round += 1) {
      const bytes = Buffer.from(log.bytes.subarray(0, 1_100_000));
      const first = 1 + Math.floor(chance() * 400);
      for (let flips = 2 + Math.floor(chance() * 4); flips > 0; flips -= 1) {
        const at = (log.starts[first] ?? 0) + Math.floor(chance() * 8_000);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(chance() * 8));
      }
      const tip = tipAt(first - 1);
      expect(scan(bytes, tip)).toEqual(walk(bytes, tip));
    }
  });

  test('are found too if lines are swapped, doubled, lost or foreign', () => {
    const other = makeLog(0x0badcafe);
    const line = (from: { bytes: Buffer; starts: number[] }, index: number): Buffer =>
      from.bytes.subarray(from.starts[index], from.starts[index + 1]);
    const cut = (index: number): number => log.starts[index] ?? 0;
    for (let index = 20; index < 80; index += 1) {
      const [head, tail] = [log.bytes.subarray(0, cut(index)), log.bytes.subarray(cut(index + 2))];
      const [one, two] = [line(log, index), line(log, index + 1)];
      const changes = [
        [two, one],
        [one, one, two],
        [two],
        [one],
        [line(other, index), two],
        [one, line(other, index + 1)],
      ];
      for (const change of changes) {
        const bytes = Buffer.concat([head, ...change, tail]);
        const taken = scan(bytes, before);
        expect(taken).toEqual(walk(bytes, before));
        expect(taken.seqs).toBeLessThanOrEqual(index + 1);
      }
    }
  });
});
