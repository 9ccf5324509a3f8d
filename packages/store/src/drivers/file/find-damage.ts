import type { Damage } from '../../driver.ts';
import { findLine, type Line, readLine, recordStart, type Tip } from './line.ts';
import { ForwardScan, type Seen } from './scan.ts';
import { readBytes, type Source } from './byte-source.ts';
import { turnOfLoop } from '../waiting.ts';

/** A sound line anywhere in a log. */
type Place = Line & { readonly at: number; readonly end: number };

export type Inspection = {
  /** Behind the last sound line, and behind the last complete batch. */
  readonly tip: Tip;
  readonly whole: Tip;
  readonly damages: readonly Damage[];
};

const windowBytes = 160 * 1024 * 1024;
const mostNamed = 10_000;

/** Finds the next sound line after a place. */
export function nextSound(source: Source, from: number): Place | undefined {
  for (let at = from, size = 1024 * 1024; at < source.size; size = windowBytes) {
    const bytes = readBytes(source, at, size);
    const found = findLine(bytes, 0);
    const line = found === undefined ? undefined : readLine(bytes, found.at, found.to);
    if (found !== undefined && line !== undefined) return { ...line, at: at + found.at, end: at + found.end };
    if (at + bytes.length >= source.size) return undefined;
    // Windows overlap by half, so that no line up to that length is missed.
    if (size === windowBytes) at += windowBytes / 2;
  }
  return undefined;
}

/** Reports every record missing between two others. */
export function missing(
  between: { after: number; before: number; offset: number; bytes: number },
  kind: string,
): Damage[] {
  const { after, before, offset, bytes } = between;
  const count = Math.min(before - after - 1, mostNamed);
  const what = kind === 'missing' ? 'is missing' : 'is damaged';
  return Array.from({ length: count }, (_, index): Damage => {
    const seq = after + 1 + index;
    const sentence = `record ${seq} ${what} at byte ${offset}`;
    return { kind, sentence, seq, offset, ...(bytes > 0 ? { bytes } : {}) };
  });
}

const foreign = (line: Place): Damage => ({
  kind: 'foreign',
  sentence: `the line at byte ${line.at} has record number ${line.seq} but does not belong there`,
  seq: line.seq,
  offset: line.at,
  bytes: line.end - line.at,
});

type Step = { readonly damages: Damage[]; readonly take: Place | undefined; readonly tip: Tip };

/** Decides how to continue at a place where a line does not follow the previous one. */
function pass(source: Source, tip: Tip, next: Place): Step {
  const skip = { damages: [foreign(next)], take: undefined, tip: { ...tip, offset: next.end } };
  const behind = { offset: next.end, seq: next.seq, crc: next.crc };
  const bytes = next.at - tip.offset;
  if (next.seq <= tip.seq) return skip;
  const gap = { after: tip.seq, before: next.seq, offset: tip.offset, bytes };
  if (bytes > 0) {
    const lost = missing(gap, 'checksum');
    const noise: Damage = {
      kind: 'noise',
      sentence: `${bytes} bytes at byte ${tip.offset} belong to no record`,
      offset: tip.offset,
      bytes,
    };
    return { damages: lost.length > 0 ? lost : [noise], take: next, tip: behind };
  }
  const later = nextSound(source, next.end);
  if (later?.link === tip.crc) return skip;
  const continued = later === undefined ? next.seq > tip.seq + 1 : later.link === next.crc;
  if (!continued) return skip;
  const lost = missing(gap, 'missing');
  const broken: Damage = {
    kind: 'chain',
    sentence: `record ${next.seq} at byte ${next.at} does not continue record ${tip.seq}`,
    seq: next.seq,
    offset: next.at,
  };
  return { damages: lost.length > 0 ? lost : [broken], take: next, tip: behind };
}

const seenOf = (source: Source, line: Place): Seen => {
  const bytes = readBytes(source, line.at, line.end - line.at);
  const recordAt = recordStart(line.seq, line.record.length);
  const whole = { from: 0, to: bytes.length - 1 };
  const fields = {
    ...whole,
    link: line.link,
    crc: line.crc,
    seq: line.seq,
    recordAt,
    recordEnd: recordAt + line.record.length,
  };
  return { bytes, fields, meta: line.meta, start: line.at, offset: line.at, end: line.end };
};

/**
 * Reports everything wrong with a log and shows every sound record, even behind damage. The event loop turns between
 * chunks. The caller judges what follows the last sound line.
 */
export async function inspect(source: Source, from: Tip, visit: (seen: Seen) => void): Promise<Inspection> {
  const damages: Damage[] = [];
  let tip = from;
  let whole = from;
  for (;;) {
    const scan = new ForwardScan(source, tip);
    while (scan.step(visit)) await turnOfLoop();
    if (scan.tip.offset > tip.offset) [tip, whole] = [scan.tip, scan.whole];
    if (scan.state === 'end') break;
    const next = nextSound(source, tip.offset);
    if (next === undefined) break;
    const step = pass(source, tip, next);
    for (const damage of step.damages) damages.push(damage);
    if (step.take !== undefined) {
      visit(seenOf(source, step.take));
      whole = step.tip;
    }
    ({ tip } = step);
  }
  return { tip, whole, damages };
}

/** The first sound record of a log whose first line is damaged. */
export function firstSound(source: Source): Tip {
  const next = nextSound(source, 0);
  return { offset: next?.at ?? 0, seq: (next?.seq ?? 1) - 1, crc: next?.link ?? 0 };
}
