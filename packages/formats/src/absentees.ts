import type { Absent, AbsentReason } from './session.ts';

/** Counts what a request does not contain, by the reason. */
export type Absentees = {
  readonly add: (reason: AbsentReason, characters: number, messages?: number) => void;
  readonly list: () => Absent[];
};

export function createAbsentees(): Absentees {
  const counts = new Map<AbsentReason, { messages: number; characters: number }>();
  return {
    add(reason, characters, messages = 1) {
      const count = counts.get(reason) ?? { messages: 0, characters: 0 };
      counts.set(reason, { messages: count.messages + messages, characters: count.characters + characters });
    },
    list: () => Array.from(counts, ([reason, count]) => ({ reason, ...count })),
  };
}
