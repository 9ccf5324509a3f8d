import { decode, type Dialect, prefixDigest } from '@rethread/core';
import type { NewRecord } from '@rethread/store';

import { messageRecord, type MessageData } from './log-records.ts';
import type { RunScope } from './run-scope.ts';

/** Records of an answer or part of one; `last` is stored with its last message. */
export function answerRecords(
  run: RunScope,
  messages: readonly unknown[],
  { last = {}, ...each }: Partial<MessageData> & { readonly last?: Partial<MessageData> } = {},
): readonly NewRecord[] {
  const { dialect } = run.settings.port.target;
  return messages.map((wire, index) =>
    messageRecord({
      dialect,
      wire,
      ...run.place,
      ...originOf(run, messages, index),
      ...each,
      ...(index === messages.length - 1 ? last : {}),
    }),
  );
}

/** Some models bind reasoning to the exact request, so its digest is stored. */
function originOf(run: RunScope, messages: readonly unknown[], index: number): Pick<MessageData, 'origin'> {
  if (!hasReasoning(messages[index], run.settings.port.target.dialect)) return {};
  return { origin: { prefixDigest: prefixDigest([...run.sent, ...messages.slice(0, index)]) } };
}

function hasReasoning(wire: unknown, dialect: Dialect): boolean {
  return decode([wire], dialect)?.messages.some(({ parts }) => parts.some(({ kind }) => kind === 'reasoning')) === true;
}
