import type { Role } from '../../model/part.ts';
import { isRecord, withKeys } from '../../model/value.ts';
import { CodecMemory } from '../../model/codec-memory.ts';
import { siblingOf } from './class.ts';

type Wire = Record<string, unknown>;

/** How a message is wrapped: an object of the framework, what that is serialised to, how it is stored, or plain. */
export type Wrapping = 'object' | 'serialised' | 'stored' | 'plain' | 'role';

const ROLES: ReadonlyMap<unknown, Exclude<Role, 'unreadable'>> = new Map([
  ['human', 'user'],
  ['user', 'user'],
  ['ai', 'assistant'],
  ['assistant', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
  ['tool', 'tool'],
  // The predecessor of a result, which names no call and so takes part in no pair.
  ['function', 'user'],
]);
const TYPES: Readonly<Record<Exclude<Role, 'unreadable'>, string>> = {
  user: 'human',
  assistant: 'ai',
  system: 'system',
  tool: 'tool',
};

export function isObjectMessage(wire: Wire): boolean {
  return typeof wire['getType'] === 'function' || typeof wire['_getType'] === 'function';
}

export function wrappingOf(wire: Wire): Wrapping {
  if (wire['lc'] === 1 && Array.isArray(wire['id']) && isRecord(wire['kwargs'])) return 'serialised';
  if (isObjectMessage(wire)) return 'object';
  if (isRecord(wire['data']) && wire['content'] === undefined) return 'stored';
  return typeof wire['type'] === 'string' ? 'plain' : 'role';
}

/** Content that the framework has serialised as what it is made of, under a name of its own. */
function blocksIn({ content, content_blocks: blocks }: Wire): readonly unknown[] | undefined {
  return content === undefined && Array.isArray(blocks) && blocks.length > 0 ? (blocks as unknown[]) : undefined;
}

/** The blocks of a stored message, which the framework itself does not find again when it reads its store. */
export function storedBlocks(wire: Wire): readonly unknown[] | undefined {
  return wrappingOf(wire) === 'stored' ? blocksIn(wire['data'] as Wire) : undefined;
}

/** The key under which the content of a message stands among its fields. */
export function contentKey(wire: Wire): 'content' | 'content_blocks' {
  return wrappingOf(wire) === 'serialised' && blocksIn(wire['kwargs'] as Wire) !== undefined
    ? 'content_blocks'
    : 'content';
}

/** The fields of a message, wherever its wrapping has them. */
export function fieldsOf(wire: Wire): Wire {
  switch (wrappingOf(wire)) {
    case 'serialised': {
      const fields = wire['kwargs'] as Wire;
      const blocks = blocksIn(fields);
      return blocks === undefined ? fields : { ...fields, content: blocks };
    }
    case 'stored':
      return wire['data'] as Wire;
    default:
      return wire;
  }
}

/** JSON pointer of the fields inside the message. */
export function fieldsPath(wire: Wire): string {
  const wrapping = wrappingOf(wire);
  if (wrapping === 'serialised') return '/kwargs';
  return wrapping === 'stored' ? '/data' : '';
}

/** The name the framework has for a kind of message; undefined where the message tells none. */
export function typeOf(wire: Wire): string | undefined {
  if (wrappingOf(wire) === 'serialised') return typeOfClass(String((wire['id'] as unknown[]).at(-1)));
  const named = ownType(wire);
  if (typeof named !== 'string') return undefined;
  // Pieces of a stream that were never put together are named by their class.
  return named.endsWith('MessageChunk') ? typeOfClass(named) : named;
}

function typeOfClass(name: string): string {
  return name.replace(/Message(Chunk)?$/, '').toLowerCase();
}

function ownType(wire: Wire): unknown {
  if (typeof wire['type'] === 'string') return wire['type'];
  const ask = wire['getType'] ?? wire['_getType'];
  return typeof ask === 'function' ? (ask as () => unknown).call(wire) : wire['role'];
}

function isGeneric(type: string | undefined): boolean {
  return type === 'generic' || type === 'chat';
}

/** Who speaks in a generic message, where it is nobody that the framework has a message for. */
export function strangerIn(wire: Wire): string | undefined {
  const { role } = fieldsOf(wire);
  return isGeneric(typeOf(wire)) && typeof role === 'string' && !ROLES.has(role) ? role : undefined;
}

export function roleOf(wire: Wire): Exclude<Role, 'unreadable'> | undefined {
  const type = typeOf(wire);
  if (!isGeneric(type)) return ROLES.get(type);
  // A generic message says itself who speaks.
  const speaker = fieldsOf(wire)['role'] ?? 'user';
  return typeof speaker === 'string' ? (ROLES.get(speaker) ?? 'user') : undefined;
}

/** True for an order to the framework to take a message out of its store, which says nothing itself. */
export function isRemoval(wire: unknown): boolean {
  if (!isRecord(wire) || typeOf(wire) !== 'remove') return false;
  const { content } = fieldsOf(wire);
  return content === undefined || content === '' || (Array.isArray(content) && content.length === 0);
}

/** A copy with other fields, in the same wrapping and of the same class. */
export function withFields(wire: Wire, given: Readonly<Wire>): Wire {
  // Content in its own place is what counts, and not what it was made of.
  const changes = 'content' in given ? { ...given, content_blocks: undefined } : given;
  switch (wrappingOf(wire)) {
    case 'serialised':
      return withKeys(wire, { kwargs: withKeys(wire['kwargs'], changes) });
    case 'stored':
      return withKeys(wire, { data: withKeys(wire['data'], changes) });
    case 'object': {
      // The framework serialises a message from what it was made with.
      const made = wire['lc_kwargs'];
      return withKeys(wire, isRecord(made) ? { ...changes, lc_kwargs: withKeys(made, changes) } : changes);
    }
    default:
      return withKeys(wire, changes);
  }
}

/** Messages of a list that others are made like: the first of all, and the first object of each role. */
type Models = { readonly first: Wire | undefined; readonly objects: ReadonlyMap<Role, Wire> };

const NO_MODELS: Models = { first: undefined, objects: new Map() };

function findModels(list: readonly unknown[]): Models {
  let first: Wire | undefined;
  const objects = new Map<Role, Wire>();
  for (const wire of list) {
    if (!isRecord(wire)) continue;
    const role = roleOf(wire);
    if (role === undefined) continue;
    first ??= wire;
    if (isObjectMessage(wire) && !objects.has(role)) objects.set(role, wire);
  }
  return { first, objects };
}

const CLASSES: Readonly<Record<string, string>> = {
  human: 'HumanMessage',
  ai: 'AIMessage',
  system: 'SystemMessage',
  tool: 'ToolMessage',
};
const FRESH = { additional_kwargs: {}, response_metadata: {} };

/** The list that a message goes into. */
export type Into = { readonly list?: readonly unknown[] | undefined; readonly memory?: CodecMemory | undefined };

/** A new message in the wrapping of the list it goes into; of a class beside those there if need be. */
export function newMessage(
  role: Exclude<Role, 'unreadable'>,
  fields: Wire,
  { list, memory = new CodecMemory() }: Into,
): Wire {
  const type = TYPES[role];
  const { first, objects } = list === undefined ? NO_MODELS : memory.once(list, findModels);
  const wrapping = first === undefined ? 'plain' : wrappingOf(first);
  switch (wrapping) {
    case 'serialised': {
      const path = Array.isArray(first?.['id']) ? (first['id'] as unknown[]).slice(0, -1) : [];
      return { lc: 1, type: 'constructor', id: [...path, CLASSES[type]], kwargs: { ...fields, ...FRESH } };
    }
    case 'stored':
      return { type, data: { ...fields, ...FRESH } };
    case 'object': {
      const model = objects.get(role);
      if (model !== undefined) return like(model, fields);
      const [other] = objects.values();
      const kind = { type, name: String(CLASSES[type]), fields: { ...fields, ...FRESH } };
      return (other === undefined ? undefined : siblingOf(other, kind, memory)) ?? { type, ...fields };
    }
    case 'role':
      return { role, ...fields };
    case 'plain':
      return { type, ...fields };
  }
}

/** Fields that belong to one message and no other. */
const OWN = { id: undefined, name: undefined, artifact: undefined, usage_metadata: undefined, metadata: undefined };
const EMPTY = { tool_calls: [], invalid_tool_calls: [] };

/** An object of the class of another, with nothing in it that the other says. */
function like(model: Wire, fields: Wire): Wire {
  const kept = Object.fromEntries(Object.keys(EMPTY).flatMap((key) => (key in model ? [[key, []]] : [])));
  const made = { ...kept, ...fields, ...FRESH };
  return withKeys(model, { ...OWN, status: undefined, tool_call_id: undefined, ...made, lc_kwargs: made });
}
