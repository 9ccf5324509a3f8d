import { RESULT_TEXTS, repair, type Dialect, type Repair } from '../../src/index.ts';
import { isFields } from './draft.ts';
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
  /** The repairs before the message was appended. */
  readonly earlier: readonly Repair[];
  /** What the history ended in before the message was appended. */
  readonly last: unknown;
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

const standIn = 'skip_thought_signature_validator';
const bare = (bytes: string): string =>
  bytes.replaceAll(/,?"thought_?[sS]ignature":"(?:skip_thought_signature_validator)?"/g, '');

const joinsOf = (repairs: readonly Repair[]): string[] =>
  repairs.filter(({ rule, action }) => rule === 'result-misnamed' && action === 'relink').map(({ at }) => at.pointer);

/** The only reasons for which a later message may change what stands before the old last one. */
const exceptions: readonly { readonly name: string; readonly applies: (step: Step) => boolean }[] = [
  { name: 'a late real result replaced its placeholder', applies: settledBy },
  {
    name: 'a result was moved home to its call',
    applies: ({ repairs, appended }) =>
      repairs.some(({ at, action }) => at.message >= appended && (action === 'relocate' || action === 'restore')),
  },
  {
    name: 'a join by position gave way to an exact id',
    applies: ({ earlier, repairs }) => {
      const joined = new Set(joinsOf(repairs));
      return joinsOf(earlier).some((pointer) => !joined.has(pointer));
    },
  },
  {
    // Where results are counted, a second one for the same tool may stand for that of another until that one comes.
    name: 'a result that was counted for another call was a second one',
    applies: ({ dialect, earlier, repairs }) =>
      dialect === 'gemini' &&
      [earlier, repairs].map((each) => each.some(({ rule }) => rule === 'duplicate-result')).join() === 'false,true',
  },
  {
    name: 'a limit counts over the whole request',
    applies: ({ repairs }) => repairs.some(({ rule }) => /cache|image|media/.test(rule)),
  },
  {
    // A signature is asked for in the current turn alone, and what a provider accepts is left as it is.
    name: 'a turn is over that stand-ins for signatures were needed in',
    applies: ({ differing, after }) =>
      differing.includes(standIn) &&
      messagesIn(after).some((message) => bare(JSON.stringify(message)) === bare(differing)),
  },
  {
    // An approved call without a result is legal while the decision ends the history: the framework runs it next.
    name: 'a decision was not carried out',
    applies: ({ before, repairs }) =>
      JSON.stringify(before).includes('approval-response') &&
      repairs.some(({ rule }) => rule === 'call-without-result'),
  },
  {
    name: 'a result that had no call is given one behind it',
    applies: ({ repairs }) => repairs.some(({ rule }) => rule === 'result-before-call'),
  },
  {
    name: 'a wish for compaction was not the last word',
    applies: ({ repairs }) => repairs.some(({ rule }) => rule === 'trigger-not-last'),
  },
  {
    name: 'a call that no text can answer was quoted until its output came',
    applies: ({ differing }) => /\[computer_call\]|"status":"incomplete","tools":\[\]/.test(differing),
  },
  {
    // Where roles must alternate, the last message that was sent takes up what comes next from the same side.
    name: 'a message was joined with the one that was sent last',
    applies: ({ before, differing, repairs }) =>
      repairs.some(({ rule }) => rule === 'same-role-run') && JSON.stringify(messagesIn(before).at(-1)) === differing,
  },
  {
    // Reasoning at the end is an item that nothing has come of yet, and what comes of it may be the next one.
    name: 'something came of a thought after all',
    applies: ({ last }) => isFields(last) && last['type'] === 'reasoning',
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
  let earlier: readonly Repair[] = [];
  let bound = 0;
  for (let length = 1; length <= messages.length; length += 1) {
    const grown = messages.slice(0, length);
    const { output, report } = repair(wrap(grown), target);
    const listed = messagesIn(output);
    const bytes = listed.map((message) => JSON.stringify(message));
    const common = commonLength(before, bytes);
    const { dialect } = target;
    const differing = before[common] ?? '';
    const { repairs } = report;
    const last = messages[length - 2];
    const step = { appended: length - 1, dialect, before: sent, after: output, differing, repairs, earlier, last };
    if (common < bound && !exceptions.some(({ applies }) => applies(step))) {
      const rules = repairs.map(({ rule, action, at }) => `${rule} ${action} ${at.pointer}`);
      slips.push({ length: length - 1, differsAt: common, boundAt: bound, rules });
    }
    bound = boundOf(listed, grown, common);
    before = bytes;
    sent = output;
    earlier = repairs;
  }
  return slips;
}
