import type { Fault, FaultKind } from '../fault.ts';
import { charactersOf } from '../json.ts';
import type { Absent, AbsentReason, Active } from '../session.ts';

/** How much of the conversation the next request contains, and where the rest went. */
export type Survival = {
  /** From 0 to 1. */
  readonly share: number;
  /** Characters of the messages that the next request contains. */
  readonly sent: number;
  /** Characters of the conversation as a whole. */
  readonly total: number;
  /** The parts that are not sent, the largest first. */
  readonly absent: readonly Absent[];
};

/** Of these nothing is lost: another session has them, or the request says the same in other words. */
const NO_LOSS: ReadonlySet<AbsentReason> = new Set(['sidechain', 'repeated', 'reworded', 'hidden']);

const UNREAD: ReadonlySet<FaultKind> = new Set(['torn', 'not-json', 'too-deep', 'too-long']);

/** Measures what the next request contains. Bytes that no reader understood count as one message for each place. */
export function survivalOf({ messages, absent: left }: Active, faults: readonly Fault[]): Survival {
  const sent = charactersOf(messages);
  const torn = faults.flatMap(({ kind, place }) => (UNREAD.has(kind) && place.kind === 'line' ? [place.bytes] : []));
  const absent = [...left];
  if (torn.length > 0) {
    const known = absent.findIndex(({ reason }) => reason === 'torn');
    const before = absent[known] ?? { messages: 0, characters: 0 };
    const characters = before.characters + torn.reduce((sum, bytes) => sum + bytes, 0);
    const all: Absent = { reason: 'torn', messages: before.messages + torn.length, characters };
    absent.splice(known === -1 ? absent.length : known, 1, all);
  }
  const lost = absent.filter(({ reason }) => !NO_LOSS.has(reason)).reduce((sum, { characters }) => sum + characters, 0);
  const total = sent + lost;
  return {
    share: total === 0 ? 1 : sent / total,
    sent,
    total,
    absent: absent.sort((one, two) => two.characters - one.characters),
  };
}
