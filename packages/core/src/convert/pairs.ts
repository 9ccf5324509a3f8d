import { SharedId } from '../pairs/shared-id.ts';
import { toolKey } from '../rules/remedies/place.ts';
import type { CallPart, Message, ResultPart } from '../model/part.ts';

/** A call, its place among all calls, and which of those under its id in the same step it is, counted from one. */
export type Asked = { readonly call: CallPart; readonly order: number; readonly copy: number; answered: boolean };

/** Which call a result belongs to, and what is known of each call. */
export type Pairs = {
  readonly calls: ReadonlyMap<CallPart, Asked>;
  readonly answers: ReadonlyMap<ResultPart, Asked>;
};

/**
 * Joins results with calls in one walk: with those of the step before them first, because ids are used again in later
 * steps, then with the call of that id which was left open last.
 */
export function pairUp(messages: readonly Message[]): Pairs {
  const calls = new Map<CallPart, Asked>();
  const answers = new Map<ResultPart, Asked>();
  const past = new Map<string, Asked>();
  let step = new Map<string, SharedId<Asked>>();
  for (const { parts } of messages) {
    if (parts.some((part) => part.kind === 'call' && !part.server)) {
      for (const [id, { all }] of step) for (const asked of all.list) if (!asked.answered) past.set(id, asked);
      step = new Map();
    }
    for (const part of parts) {
      if ((part.kind !== 'call' && part.kind !== 'result') || part.server) continue;
      const id = part.callId;
      const shared = step.get(id) ?? new SharedId<Asked>(({ answered }) => !answered);
      if (part.kind === 'call') {
        const asked = { call: part, order: calls.size, copy: shared.all.list.length + 1, answered: false };
        calls.set(part, asked);
        shared.add(asked, toolKey(part.tool));
        step.set(id, shared);
        continue;
      }
      const asked = shared.find(toolKey(part.tool)) ?? past.get(id);
      // A second result under an id is one of the same call; one without an id is nobody's.
      if (asked === undefined || (asked.answered && id === '')) continue;
      asked.answered = true;
      answers.set(part, asked);
    }
  }
  return { calls, answers };
}

/** Where results answer calls by their place, they stand in the order of these. */
export function inCallOrder(messages: readonly Message[], { answers }: Pairs): readonly Message[] {
  return messages.map((message) => {
    const own = message.parts.filter((part) => part.kind === 'result' && answers.has(part)) as ResultPart[];
    const sorted = [...own].sort((a, b) => (answers.get(a)?.order ?? 0) - (answers.get(b)?.order ?? 0));
    if (sorted.every((part, index) => part === own[index])) return message;
    const next = sorted.values();
    const parts = message.parts.map((part) =>
      part.kind === 'result' && answers.has(part) ? (next.next().value ?? part) : part,
    );
    return { ...message, parts };
  });
}
