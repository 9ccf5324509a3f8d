import { charactersOf, numberAt, objectAt, textAt, type JsonObject } from '../json.ts';
import type { AbsentReason } from '../session.ts';
import { isContent, modelOf } from './records.ts';
import type { Message } from './stores.ts';

/** What is kept of a message while the session is walked over. */
export type Kept = {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parent: string | undefined;
  /** Whether a summary was written to its end. */
  readonly isSummary: boolean;
  /** Of a prompt that asks for a compaction: the first message that it keeps, or none. */
  readonly compaction: { readonly tail: string | undefined } | undefined;
  readonly isFailed: boolean;
  readonly characters: number;
  readonly model: ReturnType<typeof modelOf>;
  readonly created: number | undefined;
  /** The API whose seals its parts have. */
  readonly api: string | undefined;
};

export function keep({ info, parts }: Message): Kept {
  const error = objectAt(info, 'error');
  const isAborted = textAt(error, 'name') === 'MessageAbortedError';
  const compaction = parts.find(({ value }) => value['type'] === 'compaction')?.value;
  const metadata = parts.map(({ value }) => objectAt(value, 'metadata')).findLast((each) => each !== undefined);
  return {
    id: textAt(info, 'id') ?? '',
    role: info['role'] === 'assistant' ? 'assistant' : 'user',
    parent: textAt(info, 'parentID'),
    isSummary: info['summary'] === true && info['finish'] !== undefined && error === undefined,
    compaction: compaction === undefined ? undefined : { tail: textAt(compaction, 'tail_start_id') },
    isFailed: error !== undefined && !(isAborted && parts.some(({ value }) => isContent(value))),
    characters: parts.reduce((sum, { value }) => sum + spokenIn(value), 0),
    model: modelOf(info),
    created: numberAt(objectAt(info, 'time'), 'created'),
    api: metadata === undefined ? undefined : Object.keys(metadata).find((key) => key !== 'providerExecuted'),
  };
}

const spokenIn = ({ text, state }: JsonObject): number =>
  charactersOf(text) + charactersOf(objectAt(state, 'input')) + (textAt(state, 'output')?.length ?? 0);

/** The messages of the next request, in order, and why the others are not in it. */
export type Selection = {
  readonly ids: readonly string[];
  /** The part of the last message before which everything stays. */
  readonly untilPart: string | undefined;
  readonly absent: ReadonlyMap<Kept, AbsentReason>;
};

/** Applies a revert that was not confirmed yet, and the newest compaction. */
export function select(all: readonly Kept[], revert: JsonObject | undefined): Selection {
  const absent = new Map<Kept, AbsentReason>();
  const untilPart = textAt(revert, 'partID');
  const reverted = all.findIndex(({ id }) => id === textAt(revert, 'messageID'));
  const end = reverted === -1 ? all.length : reverted + (untilPart === undefined ? 0 : 1);
  for (const message of all.slice(end)) absent.set(message, 'rewound');
  const ordered = afterCompaction(all.slice(0, end));
  const kept = new Set(ordered);
  for (const message of all.slice(0, end)) if (!kept.has(message)) absent.set(message, 'compacted');
  for (const message of ordered) if (message.isFailed) absent.set(message, 'failed');
  const ids = ordered.filter((message) => !absent.has(message)).map(({ id }) => id);
  return { ids, untilPart: reverted === -1 ? undefined : untilPart, absent };
}

/** The prompt of the newest compaction, its summary, what it kept from before, and what came after. */
function afterCompaction(messages: readonly Kept[]): readonly Kept[] {
  const summarised = new Set(messages.flatMap(({ isSummary, parent }) => (isSummary ? (parent ?? []) : [])));
  const at = messages.findLastIndex(({ id, compaction }) => compaction !== undefined && summarised.has(id));
  const prompt = messages[at];
  if (prompt === undefined) return messages;
  const rest = messages.slice(at);
  const tail = messages.findIndex(({ id }) => id === prompt.compaction?.tail);
  const summary = rest.findIndex(({ parent, isSummary }) => parent === prompt.id && isSummary);
  if (tail === -1 || tail >= at || summary === -1) return rest;
  return [...rest.slice(0, summary + 1), ...messages.slice(tail, at), ...rest.slice(summary + 1)];
}
