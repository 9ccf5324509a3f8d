import { decode, type Dialect, prefixDigest } from '@rethread/core';
import type { NewRecord } from '@rethread/store';

import { messageRecord, type MessageData } from './log-records.ts';
import type { RunScope } from './run-scope.ts';

/** An answer, or the part of one, as it is recorded; `last` is known about all of it and told with the last message. */
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

/** Some models bind reasoning to what they were sent, so that is recorded with it. */
function originOf(run: RunScope, messages: readonly unknown[], index: number): Pick<MessageData, 'origin'> {
  if (!hasReasoning(messages[index], run.settings.port.target.dialect)) return {};
  return { origin: { prefixDigest: prefixDigest([...run.sent, ...messages.slice(0, index)]) } };
}

function hasReasoning(wire: unknown, dialect: Dialect): boolean {
  return decode([wire], dialect)?.messages.some(({ parts }) => parts.some(({ kind }) => kind === 'reasoning')) === true;
}
