import { dropPart, replacePart, type Proposal } from '../../model/edit.ts';
import { textPart } from '../../model/part.ts';
import type { Case, Rule } from '../../model/rule.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { isBlank, isRecord, readableJson } from '../../model/value.ts';
import { partOf, placeOf } from '../place.ts';

/** A provider refuses a part without a type, or a text part without text. */
export const partUnreadable: Rule = {
  id: 'part-unreadable',
  title: 'a part has no type or no text',
  layer: 'structure',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'anthropic-messages': ['an-text-nonempty', 'an-extra-keys'],
    'openai-chat': ['oc-parts-min'],
    'pydantic-ai': ['py-history'],
  },
  trigger: 'part-unreadable',
  summary:
    'A stored message holds bare texts, or parts that lost their type. A text is kept as a text part; ' +
    'anything else is quoted as JSON, so that the model still sees what was there. An empty part goes.',
  explain: () => 'this part has no type, or is a text without text',
  repair,
  examples: () => [
    {
      name: 'a part of a kind we do not know is carried as it is',
      dialect: 'anthropic-messages',
      clean: [{ role: 'user', content: [{ type: 'hologram', beam: 'blue' }] }],
    },
    {
      name: 'a part that lost its type',
      dialect: 'anthropic-messages',
      before: [{ role: 'user', content: [{ text: 'hi' }] }],
      after: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    },
    {
      name: 'bare texts, a hole, and an object nobody knows',
      dialect: 'anthropic-messages',
      before: [{ role: 'user', content: ['hi', null, { beam: 'blue' }] }],
      after: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'text', text: `${TEXTS.unreadable} {"beam":"blue"}` },
          ],
        },
      ],
    },
    {
      name: 'a text that is not one, and a text part without any',
      dialect: 'anthropic-messages',
      before: [{ role: 'user', content: [{ type: 'text', text: 5 }, { type: 'text' }] }],
      after: [{ role: 'user', content: [{ type: 'text', text: `${TEXTS.unreadable} 5` }] }],
    },
    {
      name: 'discard: the part goes',
      dialect: 'anthropic-messages',
      options: { policy: 'discard' },
      before: [{ role: 'user', content: [{ type: 'text', text: 'hi' }, { beam: 'blue' }] }],
      after: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    },
    {
      name: 'a part that lost its type',
      dialect: 'openai-chat',
      before: [{ role: 'user', content: [{ text: 'hi' }] }],
      after: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    },
    {
      name: 'a part that lost its kind',
      dialect: 'pydantic-ai',
      before: [{ kind: 'request', parts: [{ content: 'hi' }] }],
      after: [{ kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] }],
    },
  ],
};

function repair(found: Case): Proposal {
  const at = placeOf(found);
  const part = partOf(found);
  const said = plainText(part.wire);
  const text = said ?? quotedJson(part.wire);
  if (text === undefined || found.policy.unreadable === 'skip') {
    return { edits: [dropPart(at)], action: 'drop', loss: 'lossy', note: 'left out a part that cannot be read' };
  }
  return {
    edits: [replacePart(at, textPart(text, part.characters, part.at))],
    action: said === undefined ? 'demote' : 'restore',
    loss: 'none',
    note: said === undefined ? 'quoted a part without a type as text' : 'kept the text of a part that lost its type',
  };
}

/** The text a part plainly holds. */
function plainText(wire: unknown): string | undefined {
  const text = isRecord(wire) ? (wire['text'] ?? wire['content']) : wire;
  return typeof text === 'string' && !isBlank(text) ? text.toWellFormed() : undefined;
}

function quotedJson(wire: unknown): string | undefined {
  const value = isRecord(wire) && wire['type'] === 'text' ? wire['text'] : wire;
  const json = value === undefined || value === null ? '' : readableJson(value);
  return isBlank(json) || json === '{}' || json === '[]' ? undefined : `${TEXTS.unreadable} ${json}`;
}
