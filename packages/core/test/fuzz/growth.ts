import { repair, type Repair } from '../../src/index.ts';
import type { Aim } from './histories.ts';
import { messagesIn } from './reading.ts';

/** A growing history in which an earlier message of the output changed its bytes without the report naming why. */
export interface Slip {
  /** How many input messages there were before the appended one. */
  readonly length: number;
  /** Where the two outputs differ first, and how far they had to agree. */
  readonly differsAt: number;
  readonly boundAt: number;
  readonly rules: readonly string[];
}

export interface Growth {
  readonly messages: readonly unknown[];
  readonly target: Aim;
  readonly wrap: (messages: readonly unknown[]) => unknown;
}

/** Rules that count over the whole request, so that a later message may cost an earlier one. */
const countsOverAll = /cache|image|media/;

/** A report names an exception when it moves a late result home, or applies a limit over the whole request. */
const isException = (repaired: Repair, appended: number): boolean =>
  (repaired.at.message >= appended &&
    (repaired.action === 'restore' || repaired.action === 'relocate' || repaired.action === 'relink')) ||
  countsOverAll.test(repaired.rule);

const commonLength = (a: readonly string[], b: readonly string[]): number => {
  const differing = a.findIndex((bytes, index) => bytes !== b[index]);
  return differing < 0 ? a.length : differing;
};

/** How much of an output certainly stands before the message that arrived last. */
function boundOf(output: readonly unknown[], messages: readonly unknown[], common: number): number {
  const place = output.indexOf(messages.at(-1));
  if (place >= 0) return place;
  // Where it was changed or left out, what it did not change stands before it, except for invented endings: those
  // close the history as it was then, and give way to what really comes next.
  const originals = new Set(messages);
  let bound = common;
  while (bound > 0 && !originals.has(output[bound - 1])) bound -= 1;
  return bound;
}

/** Appends messages one by one: what stands in the output before the old last message has to keep its bytes. */
export function findSlips({ messages, target, wrap }: Growth): Slip[] {
  const slips: Slip[] = [];
  let before: string[] = [];
  let bound = 0;
  for (let length = 1; length <= messages.length; length += 1) {
    const grown = messages.slice(0, length);
    const { output, report } = repair(wrap(grown), target);
    const listed = messagesIn(output);
    const bytes = listed.map((message) => JSON.stringify(message));
    const common = commonLength(before, bytes);
    if (common < bound && !report.repairs.some((repaired) => isException(repaired, length - 1))) {
      const rules = report.repairs.map(({ rule, action, at }) => `${rule} ${action} ${at.pointer}`);
      slips.push({ length: length - 1, differsAt: common, boundAt: bound, rules });
    }
    bound = boundOf(listed, grown, common);
    before = bytes;
  }
  return slips;
}
