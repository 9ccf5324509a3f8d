import type { Dialect } from '@rethread/core';

import { createAbsentees, type Absentees } from '../absentees.ts';
import type { FaultLog } from '../fault.ts';
import { objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Place } from '../place.ts';
import type { Active, RuleId } from '../session.ts';
import { messagesOf, retainedTail, sendable, summaryMessage, type AgentMessage } from './entries.ts';
import { dialectOf, type Model } from './model.ts';
import type { Tree } from './read.ts';
import type { Path, Step } from './tree.ts';
import { toAnthropic } from './wire/anthropic.ts';
import { toChat } from './wire/chat.ts';
import { toGemini } from './wire/gemini.ts';
import { toResponses } from './wire/responses.ts';
import type { Said, ToWire } from './wire/said.ts';

/** What pi mends before each request: an open call is answered with an error, and lone surrogates go. */
const COPES: readonly RuleId[] = ['call-without-result', 'blank-text', 'empty-message', 'lone-surrogate'];

const WIRES: Readonly<Record<string, ToWire>> = {
  'anthropic-messages': toAnthropic,
  'openai-chat': toChat,
  'openai-responses': toResponses,
  gemini: toGemini,
};

/** Changes what is said for the API that it is sent to. */
export type Retell = (said: readonly Said[], dialect: Dialect) => readonly Said[];

type Order = {
  readonly tree: Tree;
  readonly followed: Path;
  readonly model: Model;
  readonly system: string | undefined;
  /** What the walk has left out already. */
  readonly absentees: Absentees;
};

/** Makes the messages of the next request from the entries on the path. */
export async function buildActive(order: Order, faults: FaultLog): Promise<Active> {
  const { tree, followed, model, system } = order;
  const entries = await tree.reread(
    followed.steps.map(({ node }) => node.place),
    faults,
  );
  const said = followed.steps.flatMap((step, index) => saidBy(step, entries[index]));
  const dialect = dialectOf(model);
  const wire = (WIRES[dialect] ?? toAnthropic)(tree.retell?.(said, dialect) ?? said, model);
  return {
    dialect,
    ...optional('model', model.id),
    messages: wire.map(({ message }) => message),
    places: wire.map(({ places }) => places),
    ...optional('system', system),
    absent: absentOf(followed, order.absentees),
    copes: COPES,
  };
}

function saidBy({ node, as }: Step, entry: JsonObject | undefined): Said[] {
  if (entry === undefined) return [];
  const places: readonly Place[] = [node.place];
  return agentMessages(as, entry).flatMap((each) => {
    const message = sendable(each);
    return message === undefined ? [] : [{ message, places }];
  });
}

function agentMessages(as: Step['as'], entry: JsonObject): readonly AgentMessage[] {
  if (as === 'compaction') return [...summaryMessage(textAt(entry, 'summary')), ...(retainedTail(entry) ?? [])];
  if (as === 'entry') return messagesOf(entry);
  const replacement = objectAt(entry, 'replacement');
  return replacement === undefined ? [] : [replacement];
}

function absentOf({ absent }: Path, before: Absentees): Active['absent'] {
  const absentees = createAbsentees();
  for (const { reason, characters, messages } of before.list()) absentees.add(reason, characters, messages);
  for (const [{ characters }, reason] of absent) absentees.add(reason, characters);
  return absentees.list();
}
