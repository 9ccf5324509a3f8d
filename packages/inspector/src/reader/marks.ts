import type { MarkKind } from '../api.ts';
import type { Said } from './said.ts';
import { objectAt, textAt, type JsonObject } from './value.ts';

type Sign = { readonly kind: MarkKind; readonly note: string; readonly names: RegExp };

/** What tools call the records that tell of something that happened to the conversation. */
const SIGNS: readonly Sign[] = [
  {
    kind: 'compaction',
    note: 'The conversation was compacted: a summary stands for what came before.',
    names: /^(compact_boundary|compacted|compaction|context_compacted|context\.compacted|microcompact_boundary)$/,
  },
  {
    kind: 'interruption',
    note: 'The user or a crash interrupted the turn.',
    names: /^(turn_aborted|turn\.step\.interrupted|interrupted|aborted|MessageAbortedError)$/,
  },
  { kind: 'rewind', note: 'The user went back to an earlier message.', names: /^(thread_rolled_back|rewind|revert)$/ },
  {
    kind: 'branch',
    note: 'The conversation continues from a summary of a branch that was left.',
    names: /^branch_summary$/,
  },
  { kind: 'failure', note: 'The request failed.', names: /^(error|stream_error|api_error|APIError)$/ },
];

/** Something that happened to the conversation at this record; undefined for nothing. */
export function markOf(
  value: JsonObject,
  said: Said | undefined,
): { readonly kind: MarkKind; readonly note: string } | undefined {
  if (textAt(value, '$rewindTo') !== undefined) return pick('rewind');
  if (value['isApiErrorMessage'] === true) return pick('failure');
  const first = said?.parts[0];
  if (said?.role === 'user' && first?.kind === 'text' && first.text.startsWith('[Request interrupted by user')) {
    return pick('interruption');
  }
  const names = namesIn(value);
  return SIGNS.find((sign) => names.some((name) => sign.names.test(name)));
}

const pick = (kind: MarkKind): Sign | undefined => SIGNS.find((sign) => sign.kind === kind);

function namesIn(value: JsonObject): string[] {
  const inner = objectAt(value, 'payload') ?? objectAt(value, 'message') ?? value;
  const isAssistant = inner['role'] === 'assistant';
  const names = [
    textAt(value, 'type'),
    textAt(value, 'subtype'),
    textAt(inner, 'type'),
    textAt(objectAt(inner, 'error'), 'name'),
    isAssistant ? textAt(inner, 'stopReason') : undefined,
  ];
  return names.filter((name) => name !== undefined);
}
