import type { Message, Part } from '../model/part.ts';
import { textPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { readableJson, withKeys } from '../model/value.ts';
import { wireOf } from './remedies/place.ts';
import { schemaWords } from './refusals/provider-words.ts';

/** Some providers take lists of pieces from the user alone. */
export const contentNotText: Rule = {
  id: 'content-not-text',
  title: 'content is a list where the provider takes one text',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'openai-chat': ['gq-strict'] },
  trigger: 'content-list',
  summary:
    'Clients write content as a list of pieces on every role; this provider takes it from users and wants one text ' +
    'from everybody else. The texts are joined, each on a line of its own.',
  applies: (profile) => profile.plainContent === true,
  explain: (found) => `the content of this ${found.message(found.fact.message).role} message is a list`,
  providerError: {
    'openai-chat': textWanted,
    groq: textWanted,
  },
  repair: (found) => ({
    edits: [{ kind: 'message', message: found.fact.message, messages: [joined(found)] }],
    action: 'rewrite',
    loss: 'none',
    note: 'joined the pieces of the content to one text',
  }),
};

function textWanted(found: Case): string {
  return schemaWords(found, (at) => `'${at}.content' : value must be a string`);
}

function joined(found: Case): Message {
  const source = found.message(found.fact.message);
  const content = wireOf(source)['content'];
  const text = (content as readonly unknown[]).map((piece) => textOf({ wire: piece })).join('\n');
  const wire = withKeys(source.wire, { content: text });
  const [first] = source.parts;
  // A result is its message, so its content is not a part of its own.
  if (first?.kind === 'result') return { ...source, wire, parts: [{ ...first, wire }] };
  const pieces = source.parts.slice(0, (content as readonly unknown[]).length);
  const characters = pieces.reduce((sum: number, part: Part) => sum + part.characters, 0);
  return { ...source, wire, parts: [textPart(text, characters), ...source.parts.slice(pieces.length)] };
}

function textOf(piece: { readonly wire: unknown }): string {
  const { text } = wireOf(piece);
  return typeof text === 'string' ? text : readableJson(piece.wire);
}
