import { replacePart, type Edit, type Proposal } from '../model/edit.ts';
import type { Part } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { withKeys } from '../model/value.ts';
import { partOf, placeOf, wireOf } from './remedies/place.ts';
import { unknownNames, schemaWords } from './refusals/provider-words.ts';

/** A provider that refuses unknown keys refuses everything a store has added to a message. */
export const extraKey: Rule = {
  id: 'extra-key',
  title: 'a key that the provider refuses',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['or-phase'],
    'openai-responses': ['or-phase'],
    'anthropic-messages': ['an-extra-keys'],
    'ai-sdk-model': ['ai-schema'],
    'openai-chat': ['gq-strict'],
    gemini: ['ge-part-data'],
  },
  trigger: 'extra-key',
  summary:
    'Stores add ids, timestamps and usage to messages and parts, and replay them. The provider refuses ' +
    'every key it does not know on the parts it does know, so these keys are removed; no content is in ' +
    'them.',
  explain: (found) => `keys the provider refuses: ${keysOf(found).join(', ')}`,
  providerError: {
    'openai-chat': firstKeyRefused,
    groq: firstKeyRefused,
    'anthropic-messages': (found) => `${pathOf(found)}: Extra inputs are not permitted`,
    'ai-sdk-model': () => 'The messages do not match the ModelMessage[] schema.',
    gemini: unknownNames,
  },
  repair,
};

/** What a provider says of a key that messages of this role do not have there. */
export function unsupportedKey(found: Case, key: string): string {
  return schemaWords(found, (at) => `'${at}' : property '${key}' is unsupported`);
}

function firstKeyRefused(found: Case): string {
  return unsupportedKey(found, String(keysOf(found)[0]));
}

function keysOf({ fact }: Case): string[] {
  return [fact.detail].flat().map(String);
}

function pathOf(found: Case): string {
  const { message, part } = found.fact;
  const [first = ''] = keysOf(found);
  const wire = wireOf(partOf(found));
  if (part === undefined) return `messages.${String(message)}.${first}`;
  const place = `messages.${String(message)}.content.${String(part)}.${String(wire['type'])}`;
  const inner = innerKey(wire, first);
  if (inner === undefined) return `${place}.${first}`;
  return `${place}.content.${String(inner.index)}.${String(inner.type)}.${inner.key}`;
}

function repair(found: Case): Proposal {
  const { message, part } = found.fact;
  const keys = keysOf(found);
  const edit: Edit =
    part === undefined
      ? { kind: 'drop-keys', message, keys }
      : replacePart(placeOf(found), without(partOf(found), keys));
  const note = `removed keys that the provider refuses: ${keys.join(', ')}`;
  return { edits: [edit], action: 'drop', loss: 'lossy', note, unseen: true };
}

function without(part: Part, keys: readonly string[]): Part {
  let wire = wireOf(part);
  for (const name of keys) {
    const inner = innerKey(wire, name);
    const changes = inner === undefined ? { [name]: undefined } : { content: inner.rest };
    wire = withKeys(wire, changes);
  }
  return { ...part, wire };
}

type InnerKey = { readonly index: number; readonly key: string; readonly type: unknown; readonly rest: unknown[] };

/** A key of a piece inside a result is named `content.<index>.<key>`, unless the part itself has a key of that name. */
function innerKey(wire: Readonly<Record<string, unknown>>, name: string): InnerKey | undefined {
  const content = wire['content'];
  if (Object.hasOwn(wire, name) || !Array.isArray(content)) return undefined;
  const [, position, ...rest] = name.split('.');
  const index = Number(position);
  const key = rest.join('.');
  const piece: unknown = content[index];
  return {
    index,
    key,
    type: wireOf({ wire: piece })['type'],
    rest: content.with(index, withKeys(piece, { [key]: undefined })),
  };
}
