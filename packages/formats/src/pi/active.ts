import type { FaultLog } from '../fault.ts';
import { rereadRecords } from '../files/log-file.ts';
import { objectAt, optional, textAt, type JsonObject } from '../json.ts';
import { createAbsentees, type Absentees } from '../absentees.ts';
import type { Place } from '../place.ts';
import type { Active, RuleId } from '../session.ts';
import { messagesOf, retainedTail, sendable, summaryMessage, type AgentMessage } from './entries.ts';
import { dialectOf, type Model } from './model.ts';
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

type Order = {
  readonly path: string;
  readonly followed: Path;
  readonly model: Model;
  readonly system: string | undefined;
  /** What the walk has left out already. */
  readonly absentees: Absentees;
};

/** Makes the messages of the next request from the entries on the path. */
export async function buildActive(order: Order, faults: FaultLog): Promise<Active> {
  const { path, followed, model, system } = order;
  const entries = await rereadRecords(
    path,
    followed.steps.map(({ node }) => node.place),
    faults,
  );
  const said = followed.steps.flatMap((step, index) => saidBy(step, entries[index]));
  const dialect = dialectOf(model);
  const wire = (WIRES[dialect] ?? toAnthropic)(said, model);
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
