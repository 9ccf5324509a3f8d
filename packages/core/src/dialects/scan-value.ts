import type { Sink } from '../model/codec.ts';
import { inspect, plainCharacters, type Tally } from '../model/value.ts';

type Wire = Readonly<Record<string, unknown>>;

/** The tally of a walk, with nothing in it. */
export function startTally({ memory: { tally } }: Sink): Tally {
  tally.characters = 0;
  tally.lone = false;
  tally.broken = false;
  tally.nodes = 0;
  return tally;
}

/** Notes what cannot be sent of all that went into a tally. */
export function reportTally({ broken, lone }: Tally, sink: Sink): void {
  if (broken) sink.fact('value-unserialisable');
  else if (lone) sink.fact('lone-surrogate');
}

/** Notes in a tally what an object holds under its own keys, but for those that are looked at one by one. */
export function inspectKeys(wire: Wire, read: ReadonlySet<string>, tally: Tally): void {
  for (const key in wire) {
    const value = wire[key];
    // Nearly all are sound texts, of which there is nothing to note.
    if (typeof value === 'string' && value.isWellFormed() && key.isWellFormed()) continue;
    if (read.has(key) || !Object.hasOwn(wire, key)) continue;
    if (!key.isWellFormed()) tally.lone = true;
    inspect(value, tally);
  }
}

/** Notes what cannot be sent of the keys of an object, but for those that are looked at one by one. */
export function checkKeys(wire: Wire, read: ReadonlySet<string>, sink: Sink): void {
  const tally = startTally(sink);
  inspectKeys(wire, read, tally);
  reportTally(tally, sink);
}

/** Notes what a value holds that cannot be sent; says how many characters it has. */
export function checkValue(value: unknown, sink: Sink): number {
  const tally = startTally(sink);
  inspect(value, tally);
  reportTally(tally, sink);
  return tally.characters;
}

/** Checks a value and counts its characters as content. */
export function scanValue(value: unknown, sink: Sink): void {
  sink.total += checkValue(value, sink);
}

/** Checks the arguments of a call. Nearly all are a few texts and numbers side by side, which need no recursion. */
export function scanInput(input: Wire, sink: Sink): void {
  const characters = plainCharacters(input);
  if (characters < 0) scanValue(input, sink);
  else sink.total += characters;
}
