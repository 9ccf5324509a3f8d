import { rereadRecords } from '../files/log-file.ts';
import type { FaultLog } from '../fault.ts';
import { objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Place } from '../place.ts';
import { createAbsentees } from '../absentees.ts';
import type { Active, RuleId } from '../session.ts';
import { absentReasons, isMessage, type Chain, type Links, type Node } from './chain.ts';
import { blocksOf, messageOf } from './records.ts';

type Order = { readonly links: Links; readonly chain: Chain; readonly model: string | undefined };

/** What Claude Code mends while it loads a session: see the README of this folder. */
const COPES: readonly RuleId[] = [
  'call-without-result',
  'result-without-call',
  'duplicate-result',
  'reasoning-last',
  'blank-text',
  'empty-message',
  'same-role-run',
];

/** A message while its lines are put together. */
type Draft = { readonly role: 'user' | 'assistant'; readonly answer: string | undefined; content: unknown[] };

/** Puts the messages of the next request together from the lines of the chain. */
export async function buildActive(file: string, { links, chain, model }: Order, faults: FaultLog): Promise<Active> {
  const sent = chain.nodes.filter(({ unsent }) => unsent === undefined);
  const records = await rereadRecords(
    file,
    sent.map(({ place }) => place),
    faults,
  );
  const drafts: Draft[] = [];
  const places: Place[][] = [];
  for (const [index, node] of sent.entries()) {
    const record = records[index];
    if (record === undefined) continue;
    const at = placeFor(drafts, node);
    drafts[at] ??= { role: node.kind === 'assistant' ? 'assistant' : 'user', answer: node.answer, content: [] };
    drafts[at].content.push(...contentOf(record));
    places[at] = [...(places[at] ?? []), node.place];
  }
  return {
    dialect: 'anthropic-messages',
    ...optional('model', model),
    messages: drafts.map(({ role, content }) => ({ role, content: role === 'user' ? resultsFirst(content) : content })),
    places,
    absent: absentOf(links, chain, sent),
    copes: COPES,
  };
}

/** The lines of one answer are one message, whatever stands between them; so are user records in a row. */
function placeFor(drafts: readonly Draft[], { kind, answer }: Node): number {
  const last = drafts.length - 1;
  if (kind !== 'assistant') return drafts[last]?.role === 'user' ? last : drafts.length;
  if (answer === undefined) return drafts.length;
  const same = drafts.findLastIndex((draft) => draft.answer === answer);
  return same === -1 ? drafts.length : same;
}

function contentOf(record: JsonObject): readonly unknown[] {
  const message = messageOf(record);
  if (message !== undefined) return blocksOf(message['content']);
  const attachment = objectAt(record, 'attachment');
  return blocksOf(attachment === undefined ? textAt(record, 'content') : attachment['prompt']);
}

const isResult = (block: unknown): boolean => textAt(block, 'type') === 'tool_result';

const resultsFirst = (content: readonly unknown[]): unknown[] => [
  ...content.filter(isResult),
  ...content.filter((block) => !isResult(block)),
];

function absentOf(links: Links, chain: Chain, sent: readonly Node[]): Active['absent'] {
  const absentees = createAbsentees();
  const isSent = new Set(sent);
  const reasonFor = absentReasons(links, chain);
  for (const { reason, characters, messages } of links.uncounted) absentees.add(reason, characters, messages);
  for (const node of links.nodes) {
    if (isMessage(node) && !isSent.has(node)) absentees.add(reasonFor(node), node.characters);
  }
  return absentees.list();
}
