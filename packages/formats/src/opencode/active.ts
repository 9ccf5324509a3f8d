import type { Dialect } from '@rethread/core';

import { createAbsentees } from '../absentees.ts';
import { createFaultLog } from '../fault.ts';
import { optional, textAt } from '../json.ts';
import type { Active, RuleId } from '../session.ts';
import type { Selection } from './select.ts';
import type { Message, Store } from './stores.ts';
import { turnsOf, type Turn, type WireMessage } from './turns.ts';
import { toAnthropic } from './wire/anthropic.ts';
import { toChat } from './wire/chat.ts';
import { toGemini } from './wire/gemini.ts';
import { toResponses } from './wire/responses.ts';

/** Where the next request goes, as far as the session tells. */
export type Target = {
  readonly dialect: Dialect;
  readonly provider: string | undefined;
  readonly model: string | undefined;
};

/** What opencode mends before each request: a call that did not end is answered with an error. */
const COPES: readonly RuleId[] = ['call-without-result', 'lone-surrogate', 'empty-message'];

const WIRES: Readonly<Record<string, (turns: readonly Turn[]) => WireMessage[]>> = {
  'anthropic-messages': toAnthropic,
  'openai-responses': toResponses,
  gemini: toGemini,
};

type Order = { readonly selection: Selection; readonly target: Target };

/** Makes the messages of the next request from those that were selected. */
export async function buildActive(store: Store, { selection, target }: Order): Promise<Active> {
  const wanted = new Set(selection.ids);
  const turns = new Map<string, Turn[]>();
  for await (const message of store.messages(createFaultLog())) {
    const id = textAt(message.info, 'id') ?? '';
    if (wanted.has(id)) turns.set(id, turnsOf(until(message, selection, id), target));
  }
  const wire = (WIRES[target.dialect] ?? toChat)(selection.ids.flatMap((id) => turns.get(id) ?? []));
  const absentees = createAbsentees();
  for (const [{ characters }, reason] of selection.absent) absentees.add(reason, characters);
  return {
    dialect: target.dialect,
    ...optional('model', target.model),
    messages: wire.map(({ message }) => message),
    places: wire.map(({ places }) => places),
    absent: absentees.list(),
    copes: COPES,
  };
}

/** A revert may begin inside of the last message. */
function until(message: Message, { untilPart, ids }: Selection, id: string): Message {
  if (untilPart === undefined || id !== ids.at(-1)) return message;
  const at = message.parts.findIndex(({ value }) => value['id'] === untilPart);
  return at === -1 ? message : { ...message, parts: message.parts.slice(0, at) };
}
