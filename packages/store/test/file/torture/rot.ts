import type { Damage } from '../../../src/driver.ts';
import type { Place } from '../../../src/drivers/file/layout.ts';
import { survey } from '../../../src/drivers/file/mend.ts';
import type { Source } from '../../../src/drivers/file/byte-source.ts';
import { FaultFiles } from '../../fault-files.ts';
import {
  add,
  batchesOf,
  batchOf,
  chanceOf,
  codeOf,
  entryOf,
  Machine,
  makeLog,
  must,
  openOn,
  readAll,
  storeWith,
  take,
  type Tally,
  textsOf,
} from './world.ts';

const place: Place = {
  root: '/store',
  files: new FaultFiles(),
  environment: new Machine().environment(),
  durability: 'strict',
  instance: 'x',
};

type Findings = { readonly sound: Map<number, string>; readonly damages: readonly Damage[]; readonly tail: number };

async function examine(log: Buffer): Promise<Findings> {
  const source: Source = { size: log.length, read: (into, at) => log.copy(into, 0, at) };
  const sound = new Map<number, string>();
  const { damages, tail } = await survey(place, { session: 's', source, head: undefined }, ({ bytes, fields }) => {
    sound.set(fields.seq, bytes.toString('utf8', fields.recordAt, fields.recordEnd));
  });
  return { sound, damages, tail };
}

/** Every returned record is unchanged, every other one is named, and damage is always noticed. */
function judge(found: Findings, texts: readonly string[], what: () => string): number {
  const { sound, damages, tail } = found;
  must(damages.length > 0 || tail > 0, () => `${what()}: not noticed`);
  for (const [seq, text] of sound) must(texts[seq - 1] === text, () => `${what()}: record ${seq} is altered`);
  let lost = 0;
  const last = Math.max(0, ...sound.keys());
  for (let seq = 1; seq <= texts.length; seq += 1) {
    if (sound.has(seq)) continue;
    lost += 1;
    const named = damages.some((damage) => damage.seq === seq) || (seq > last && tail > 0);
    must(named, () => `${what()}: record ${seq} is gone and not named`);
  }
  return lost;
}

/** Flips every bit, or every n-th, of a log of about that many bytes. */
export async function flipBits(tally: Tally, options: { bytes: number; step: number }): Promise<void> {
  const batches = batchesOf(11, Math.ceil(options.bytes / 200), 700);
  const { bytes: log } = await makeLog(batches);
  const texts = textsOf(batches.flat());
  must(log.length >= options.bytes, () => `the log has only ${log.length} bytes`);
  const bits = options.bytes * 8;
  for (let bit = 0; bit < bits; bit += options.step) {
    const flipped = Buffer.from(log);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const lost = judge(await examine(flipped), texts, () => `bit ${bit}`);
    must(lost <= 4, () => `bit ${bit}: ${lost} records lost`);
    add(tally, 'bits flipped');
  }
}

const pick = (chance: () => number, below: number): number => Math.floor(chance() * below);

/** File accidents: the resulting log, or undefined if nothing changed. */
const accidents: Readonly<Record<string, (log: Buffer, chance: () => number, other: Buffer) => Buffer>> = {
  smear: (log, chance) => {
    const copy = Buffer.from(log);
    const at = pick(chance, log.length);
    const end = Math.min(log.length, at + 1 + pick(chance, 4_096));
    for (let index = at; index < end; index += 1) copy[index] = pick(chance, 256);
    return copy;
  },
  zeros: (log, chance) => {
    const copy = Buffer.from(log);
    const at = pick(chance, log.length);
    return copy.fill(0, at, Math.min(log.length, at + 1 + pick(chance, 1_024)));
  },
  spaces: (log, chance) => {
    const copy = Buffer.from(log);
    const at = pick(chance, log.length);
    return copy.fill(0x20, at, Math.min(log.length, at + 1 + pick(chance, 1_024)));
  },
  // Losing only the last line is a cut, which the head note notices.
  deleted: (log, chance) => withLines(log, (lines) => lines.toSpliced(1 + pick(chance, lines.length - 2), 1)),
  duplicated: (log, chance) =>
    withLines(log, (lines) => {
      const at = 1 + pick(chance, lines.length - 1);
      return lines.toSpliced(at, 0, lines[at] ?? '');
    }),
  swapped: (log, chance) =>
    withLines(log, (lines) => {
      const at = 1 + pick(chance, lines.length - 2);
      return lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? '');
    }),
  transplanted: (log, chance, other) =>
    withLines(log, (lines) => {
      const strange = other.toString('latin1').split('\n').slice(1, -1);
      const at = 1 + pick(chance, Math.min(lines.length, strange.length) - 1);
      return lines.with(at, strange[at - 1] ?? '');
    }),
  inserted: (log, chance, other) =>
    withLines(log, (lines) => {
      const strange = other.toString('latin1').split('\n').slice(1, -1);
      return lines.toSpliced(1 + pick(chance, lines.length - 1), 0, strange[pick(chance, strange.length)] ?? '');
    }),
  glued: (log, chance) =>
    withLines(log, (lines) => {
      const at = 1 + pick(chance, lines.length - 2);
      const half = (lines[at] ?? '').slice(0, pick(chance, 60));
      return lines.with(at, half + (lines[at] ?? ''));
    }),
  crlf: (log) => Buffer.from(log.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
  mark: (log) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), log]),
  stale: (log, chance) => Buffer.concat([log, Buffer.alloc(1 + pick(chance, 600), 0)]),
};

function withLines(log: Buffer, change: (lines: string[]) => string[]): Buffer {
  return Buffer.from(`${change(log.toString('latin1').split('\n').slice(0, -1)).join('\n')}\n`, 'latin1');
}

/** Random accidents: no altered record comes back, and every lost one is named. */
export async function haveAccidents(count: number, tally: Tally, firstSeed = 1): Promise<void> {
  const { bytes: log } = await makeLog(batchesOf(21, 30, 400));
  const { bytes: other } = await makeLog(batchesOf(22, 30, 400), 'other');
  const texts = textsOf(batchesOf(21, 30, 400).flat());
  const kinds = Object.entries(accidents);
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const [kind, happen] = kinds[seed % kinds.length] ?? ['', (same: Buffer) => same];
    const after = happen(log, chanceOf(seed), other);
    if (after.equals(log)) continue;
    judge(await examine(after), texts, () => `${kind}, seed ${seed}`);
    add(tally, 'accidents');
  }
}

/** Damage in the middle refuses appends until it is mended; sound records and the old bytes stay. */
export async function mendEach(count: number, tally: Tally): Promise<void> {
  const batches = batchesOf(31, 20, 300);
  const { bytes: log } = await makeLog(batches);
  const texts = textsOf(batches.flat());
  for (let seed = 1; seed <= count; seed += 1) {
    const chance = chanceOf(seed);
    const at = 400 + pick(chance, log.length - 1_500);
    const rotten = Buffer.from(log);
    rotten[at] = (rotten[at] ?? 0) ^ 0x10;
    const how = seed % 2 === 0 ? 'prefix' : 'salvage';
    const files = storeWith(rotten);
    const environment = new Machine().environment();
    const driver = await openOn(files, environment);
    must((await codeOf(readAll(driver))) === 'damaged', () => `seed ${seed}: read`);
    const before = await examine(rotten);
    const lease = await take(driver, environment);
    const next = entryOf(texts.length + 1, 'after the mending');
    must(
      (await codeOf(driver.append({ ...batchOf(lease, [next]), expect: lease.head }))) === 'damaged',
      () => 'append',
    );
    const verdict = await driver.mend?.(lease, how);
    must(verdict?.damages.length === 0, () => `seed ${seed}: ${JSON.stringify(verdict)}`);
    const kept = textsOf(await readAll(driver));
    const sound = [...before.sound.values()];
    if (how === 'salvage') must(kept.join() === sound.join(), () => `seed ${seed}: salvaged ${kept.length}`);
    must(
      kept.every((text) => texts.includes(text)),
      () => `seed ${seed}: altered`,
    );
    await driver.append({ ...batchOf(lease, [next]), expect: verdict?.head.seq ?? 0 });
    must((await readAll(driver)).length === kept.length + 1, () => `seed ${seed}: after the append`);
    const aside = files.list('/store/sessions/s-s/quarantine').filter((name) => name.startsWith('log-'));
    const old = files.peek(`/store/sessions/s-s/quarantine/${aside[0] ?? ''}`);
    must(old.equals(rotten), () => `seed ${seed}: the old bytes are gone`);
    await driver.close();
    add(tally, `mended, ${how}`);
  }
}
