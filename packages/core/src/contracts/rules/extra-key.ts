import { replacePart, type Edit, type Proposal } from '../../model/edit.ts';
import type { Case, Rule } from '../../model/rule.ts';
import { isRecord, withKeys } from '../../model/value.ts';
import { partOf, placeOf, wireOf } from '../place.ts';

/** A provider that refuses unknown keys refuses everything a store has added to a message. */
export const extraKey: Rule = {
  id: 'extra-key',
  title: 'a key that the provider refuses',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'anthropic-messages': ['an-extra-keys'] },
  trigger: 'extra-key',
  summary:
    'Stores add ids, timestamps and usage to messages and parts, and replay them. The provider refuses every key it does not ' +
    'know on the parts it does know, so these keys are removed; no content is in them.',
  explain: (found) => `keys the provider refuses: ${keysOf(found).join(', ')}`,
  providerError: {
    'anthropic-messages': (found) => `${pathOf(found)}: Extra inputs are not permitted`,
  },
  repair,
  examples: [
    {
      name: 'the keys of the dialect',
      dialect: 'anthropic-messages',
      clean: [{ role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }] }],
    },
    {
      name: 'keys of the store on a message and on a part',
      dialect: 'anthropic-messages',
      before: [
        { role: 'user', content: 'hi', timestamp: 1, id: 'm1' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello', index: 0 }] },
      ],
      after: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
      ],
    },
  ],
};

function keysOf({ fact }: Case): string[] {
  return [fact.detail ?? []].flat();
}

function pathOf(found: Case): string {
  const { message, part } = found.fact;
  const at = `messages.${String(message)}`;
  const [first = ''] = keysOf(found);
  if (part === undefined) return `${at}.${first}`;
  const wire = wireOf(partOf(found));
  const place = `${at}.content.${String(part)}.${String(wire['type'])}`;
  const inner = pieceAt(wire, first);
  if (inner === undefined) return `${place}.${first}`;
  return `${place}.content.${String(inner.index)}.${String(inner.piece['type'])}.${inner.key}`;
}

function repair(found: Case): Proposal {
  const { message, part } = found.fact;
  const keys = keysOf(found);
  const edit: Edit =
    part === undefined
      ? { kind: 'drop-keys', at: { message }, keys }
      : replacePart(placeOf(found), without(found, keys));
  const note = `removed keys that the provider refuses: ${keys.join(', ')}`;
  return { edits: [edit], action: 'drop', loss: 'lossy', note, unseen: true };
}

function without(found: Case, keys: readonly string[]): ReturnType<typeof partOf> {
  const part = partOf(found);
  let wire = wireOf(part);
  for (const key of keys) {
    const inner = pieceAt(wire, key);
    wire = inner === undefined ? withKeys(wire, { [key]: undefined }) : withKeys(wire, { content: inner.rest });
  }
  return { ...part, wire };
}

type Inner = {
  readonly index: number;
  readonly key: string;
  readonly piece: Record<string, unknown>;
  readonly rest: unknown[];
};

/** A key of a piece inside a result is named `content.<index>.<key>`, unless the part itself has a key of that name. */
function pieceAt(wire: Readonly<Record<string, unknown>>, name: string): Inner | undefined {
  const match = /^content\.(\d+)\.(.*)$/s.exec(name);
  const content = wire['content'];
  if (match === null || Object.hasOwn(wire, name) || !Array.isArray(content)) return undefined;
  const index = Number(match[1]);
  const key = String(match[2]);
  const piece: unknown = content[index];
  if (!isRecord(piece)) return undefined;
  return { index, key, piece, rest: content.with(index, withKeys(piece, { [key]: undefined })) as unknown[] };
}
