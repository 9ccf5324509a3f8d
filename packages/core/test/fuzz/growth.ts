import { RESULT_TEXTS, repair, type Dialect, type Repair } from '../../src/index.ts';
import type { Aim } from './histories.ts';
import { messagesIn, readResults } from './reading.ts';

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

interface Step {
  /** Index of the message that was appended. */
  readonly appended: number;
  readonly dialect: Dialect;
  readonly before: unknown;
  readonly after: unknown;
  /** The bytes of the first message of the earlier output that is not in the later one. */
  readonly differing: string;
  readonly repairs: readonly Repair[];
}

const isPlaceholder = (text: string): boolean => Object.values(RESULT_TEXTS).some((known) => text.includes(known));

/** True when the first message that differs held an invented result, and its call has a real one now. */
function settledBy({ dialect, before, after, differing }: Step): boolean {
  if (!isPlaceholder(differing)) return false;
  const invented = readResults(dialect, before).filter(({ text }) => isPlaceholder(text));
  const real = new Set(
    readResults(dialect, after)
      .filter(({ text }) => !isPlaceholder(text))
      .map(({ id }) => id),
  );
  return invented.some(({ id }) => real.has(id));
}

/** The only reasons for which a later message may change what stands before the old last one. */
const exceptions: readonly { readonly name: string; readonly applies: (step: Step) => boolean }[] = [
  { name: 'a late real result replaced its placeholder', applies: settledBy },
  {
    name: 'a result was moved home to its call',
    applies: ({ repairs, appended }) =>
      repairs.some(({ at, action }) => at.message >= appended && (action === 'relocate' || action === 'restore')),
  },
  {
    name: 'a limit counts over the whole request',
    applies: ({ repairs }) => repairs.some(({ rule }) => /cache|image|media/.test(rule)),
  },
  {
    // A provider-run call without a result is legal while it ends the history: its turn may be resumed.
    name: 'a paused turn was not resumed',
    applies: ({ repairs }) => repairs.some(({ rule }) => rule === 'server-call-without-result'),
  },
];

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
  let sent: unknown = [];
  let bound = 0;
  for (let length = 1; length <= messages.length; length += 1) {
    const grown = messages.slice(0, length);
    const { output, report } = repair(wrap(grown), target);
    const listed = messagesIn(output);
    const bytes = listed.map((message) => JSON.stringify(message));
    const common = commonLength(before, bytes);
    const { dialect } = target;
    const differing = before[common] ?? '';
    const step = { appended: length - 1, dialect, before: sent, after: output, differing, repairs: report.repairs };
    if (common < bound && !exceptions.some(({ applies }) => applies(step))) {
      const rules = report.repairs.map(({ rule, action, at }) => `${rule} ${action} ${at.pointer}`);
      slips.push({ length: length - 1, differsAt: common, boundAt: bound, rules });
    }
    bound = boundOf(listed, grown, common);
    before = bytes;
    sent = output;
  }
  return slips;
}
