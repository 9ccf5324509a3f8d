import type { AgentInputItem } from '@openai/agents';
import { projectWithSources, type SessionRecord, toWire } from '@rethread/core';
import type { NewRecord, StoredRecord } from '@rethread/store';

import type { LedgerCall } from './call-ledger.ts';

/** An item of the history and the record that holds it. */
export type StoredItem = { readonly item: AgentInputItem; readonly seq: number };

export const toRecord = (item: AgentInputItem): NewRecord => ({
  kind: 'message',
  data: { dialect: 'openai-agents', wire: item },
});

/** The items of the history, as they were stored. */
export function itemsIn(records: readonly StoredRecord[]): readonly StoredItem[] {
  const projection = projectWithSources(records as readonly SessionRecord[], 'openai-agents');
  if (projection === undefined) return [];
  const items = toWire(projection) as AgentInputItem[];
  return items.map((item, index) => ({ item, seq: projection.sources[index] ?? 0 }));
}

/**
 * The records after which the history is its first `keep` items and the given ones. Items of a checkpoint share one
 * record, so a history that is cut between them is written again.
 */
export function changeTo(items: readonly StoredItem[], keep: number, add: readonly AgentInputItem[]): NewRecord[] {
  const gone = items[keep];
  if (gone === undefined) return add.map(toRecord);
  const isDivided = keep > 0 && items[keep - 1]?.seq === gone.seq;
  const again = isDivided ? items.slice(0, keep).map(({ item }) => item) : [];
  const to = isDivided ? 0 : gone.seq - 1;
  return [{ kind: 'revert', data: { to } }, ...[...again, ...add].map(toRecord)];
}

type Fields = Readonly<Record<string, unknown>>;

/** What an item says, without the ids and the provider data that the SDK adds and removes. */
export function keyOf(item: AgentInputItem): string {
  const { type = 'message', role, callId, name, content, output, arguments: input }: Fields = item;
  if (typeof callId === 'string') return JSON.stringify([type, callId]);
  return JSON.stringify([type, role, name, textOf(content), output, input]);
}

/** Text is written as a string or as a list of parts. */
function textOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((part: unknown) => (part as Fields | null)?.['text'] ?? part).join('\n');
}

const isCall = (item: AgentInputItem): item is Extract<AgentInputItem, { type: 'function_call' }> =>
  item.type === 'function_call';

/** What a dead process did not get to store: what the ledger knows about its calls, and the text it showed. */
export function missingItems(
  records: readonly StoredRecord[],
  calls: readonly LedgerCall[],
): readonly AgentInputItem[] {
  const items = itemsIn(records);
  const since = records.findLast(({ kind }) => isHistory(kind))?.seq ?? 0;
  const shown = shownText(records);
  const known = new Set(items.flatMap(({ item }) => (isCall(item) ? [item.callId] : [])));
  const answered = new Set(items.flatMap(({ item }) => (item.type === 'function_call_result' ? [item.callId] : [])));
  const added: AgentInputItem[] = [];
  if (shown !== undefined && shown !== '') {
    const content = [{ type: 'output_text' as const, text: shown }];
    added.push({ type: 'message', role: 'assistant', status: 'incomplete', content });
  }
  for (const { callId, seq, tool: name, input, settled } of calls) {
    const status = 'completed' as const;
    // Earlier calls were stored with their messages, and may have left the history since.
    if (!known.has(callId) && seq < since) continue;
    if (!known.has(callId)) {
      added.push({ type: 'function_call', callId, name, arguments: JSON.stringify(input), status });
    }
    if (settled === undefined || answered.has(callId)) continue;
    const value = 'error' in settled ? settled.error : settled.output;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    added.push({ type: 'function_call_result', callId, name, status, output: { type: 'text', text } });
  }
  return added;
}

const isHistory = (kind: string): boolean => kind === 'message' || kind === 'revert' || kind === 'checkpoint';

/** The text of an answer that was shown and whose message is not stored. */
function shownText(records: readonly StoredRecord[]): string | undefined {
  const last = records.findLastIndex(({ kind }) => isHistory(kind));
  const pieces = records.slice(last + 1).flatMap(({ kind, data }) => {
    const { shown } = (data ?? {}) as Fields;
    return kind === 'note' && typeof shown === 'string' ? [shown] : [];
  });
  return pieces.length === 0 ? undefined : pieces.join('');
}
