import { textAt, type JsonObject } from '../json.ts';
import type { Choice, Kept } from '../pieces/read-pieces.ts';
import type { AbsentReason } from '../session.ts';

/** How a message is tied to the summaries and cuts that came later. */
export type Ties = {
  readonly isSummary: boolean;
  /** Of a summary: the id under which the messages that it stands for name it. */
  readonly summary: string | undefined;
  /** Of a cut: the same. */
  readonly cut: string | undefined;
  readonly summarisedBy: string | undefined;
  readonly cutBy: string | undefined;
};

export const tiesOf = (message: JsonObject): Ties => ({
  isSummary: message['isSummary'] === true,
  summary: message['isSummary'] === true ? textAt(message, 'condenseId') : undefined,
  cut: message['isTruncationMarker'] === true ? textAt(message, 'truncationId') : undefined,
  summarisedBy: textAt(message, 'condenseParent'),
  cutBy: textAt(message, 'truncationParent'),
});

/** The last summary begins the history. What a summary or a cut stands for comes back when that one is deleted. */
export function choose(kept: readonly Kept<Ties>[]): Choice {
  const last = kept.findLastIndex(({ mark }) => mark?.isSummary === true);
  const first = Math.max(0, last);
  const from = kept.slice(first);
  const summaries = new Set(kept.flatMap(({ mark }) => mark?.summary ?? []));
  const cuts = new Set(from.flatMap(({ mark }) => mark?.cut ?? []));
  const absent = new Map<number, AbsentReason>();
  for (const [index, { mark }] of kept.entries()) {
    const isSummarised = last === -1 && mark?.summarisedBy !== undefined && summaries.has(mark.summarisedBy);
    const isCut = mark?.cutBy !== undefined && cuts.has(mark.cutBy);
    if (index < first || isSummarised || isCut) absent.set(index, 'compacted');
  }
  return { absent };
}
