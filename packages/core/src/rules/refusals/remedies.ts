import type { Message, Part } from '../../model/part.ts';
import { isRecord, readableJson, withKeys } from '../../model/value.ts';
import { STAND_IN, withSignature } from '../remedies/gemini-parts.ts';
import { wireOf } from '../remedies/place.ts';
import { reasoningAsText } from '../remedies/quote.ts';
import type { MessageRemedy, Remedy } from './refusal.ts';
import { beginsAnew, isReference } from '../remedies/response-items.ts';

type Wire = Readonly<Record<string, unknown>>;

/** What became of one message: parts to be written, another wire in its place, or nothing. */
export type Remedied = {
  readonly now: { readonly message: Message } | { readonly wire: Wire } | undefined;
  readonly action: 'drop' | 'demote' | 'rewrite';
  readonly loss: 'none' | 'lossy';
  readonly note: string;
};

/** Changes the messages of a list, in their order, as a refusal asks for; undefined where it asks nothing of one. */
export function remedyOf(remedy: MessageRemedy): (message: Message) => Remedied | undefined {
  return remedy.kind === 'item' ? byValue(remedy) : (message) => remedied(message, remedy);
}

function remedied(message: Message, remedy: Exclude<MessageRemedy, { kind: 'item' }>): Remedied | undefined {
  switch (remedy.kind) {
    case 'key':
      return withoutKey(wireOf(message), remedy);
    case 'reasoning':
      return withoutReasoning(message) ?? (remedy.ids === true ? withoutId(message) : undefined);
    case 'signatures':
      return withStandIns(message);
    case 'pieces':
      return withTexts(message, remedy);
  }
}

function withoutKey(wire: Wire, { key, role, types }: Extract<Remedy, { kind: 'key' }>): Remedied | undefined {
  if (role !== undefined && wire['role'] !== role) return undefined;
  const content = types === undefined ? undefined : stripParts(wire['content'], key, types);
  const untouched = types === undefined ? !Object.hasOwn(wire, key) : content === wire['content'];
  if (untouched) return undefined;
  const now = { wire: withKeys(wire, types === undefined ? { [key]: undefined } : { content }) };
  const note = `removed the key ${key}, which the provider does not take there`;
  return { now, action: 'drop', loss: 'lossy', note };
}

/** The same list where nothing in it has the key. */
function stripParts(content: unknown, key: string, [type, ...deeper]: readonly string[]): unknown {
  if (!Array.isArray(content)) return content;
  let changed = false;
  const parts = (content as unknown[]).map((part) => {
    if (!isRecord(part) || part['type'] !== type) return part;
    const inner = deeper.length === 0 ? undefined : stripParts(part['content'], key, deeper);
    if (deeper.length === 0 ? !Object.hasOwn(part, key) : inner === part['content']) return part;
    changed = true;
    return withKeys(part, deeper.length === 0 ? { [key]: undefined } : { content: inner });
  });
  return changed ? parts : content;
}

/** Reasoning becomes text that says what it is; what nobody can read goes. */
function withoutReasoning(message: Message): Remedied | undefined {
  if (!message.parts.some(({ kind }) => kind === 'reasoning')) return undefined;
  let lost = false;
  const parts = message.parts.flatMap((part): readonly Part[] => {
    if (part.kind !== 'reasoning') return [part];
    const text = reasoningAsText(part);
    lost ||= text === undefined;
    return text === undefined ? [] : [text];
  });
  const now = parts.length === 0 ? undefined : { message: { ...message, parts } };
  if (!lost) {
    return { now, action: 'demote', loss: 'none', note: 'kept reasoning as text: the provider does not take it back' };
  }
  const note = 'removed reasoning that the provider does not take back and nobody else can read';
  return { now, action: 'drop', loss: 'lossy', note };
}

const SIGNATURES = ['thoughtSignature', 'thought_signature'] as const;

function withStandIns(message: Message): Remedied | undefined {
  const signed = (part: Part): boolean => SIGNATURES.some((key) => typeof wireOf(part)[key] === 'string');
  if (!message.parts.some(signed)) return undefined;
  const parts = message.parts.map((part) => (signed(part) ? withSignature(part, STAND_IN) : part));
  const note = 'put the documented stand-in in the place of a signature that the provider does not take';
  return { now: { message: { ...message, parts } }, action: 'rewrite', loss: 'lossy', note };
}

/** What came of reasoning that is gone cannot be sent under its id. */
function withoutId(message: Message): Remedied | undefined {
  const wire = wireOf(message);
  const { id } = wire;
  if (message.role !== 'assistant' || typeof id !== 'string') return undefined;
  const note = `removed the id ${id}, so that the content itself is sent`;
  return { now: { wire: withKeys(wire, { id: undefined }) }, action: 'rewrite', loss: 'none', note };
}

/** Something goes by its id, and so do the ids of what came of it: these are not known without it. */
function byValue({ id, step }: Extract<Remedy, { kind: 'item' }>): (message: Message) => Remedied | undefined {
  let bereft = false;
  return (message) => {
    const changed = withoutItem(message, id);
    const known = beginsAnew(message);
    if (known || (changed !== undefined && step === true)) bereft = changed !== undefined;
    return changed ?? (bereft ? withoutId(message) : undefined);
  };
}

/** What the provider does not find is sent by its content; a reference to it has none. */
function withoutItem(message: Message, id: string): Remedied | undefined {
  const wire = wireOf(message);
  if (wire['id'] !== id) return undefined;
  if (isReference(wire)) {
    const note = `removed a reference to ${id}, which the provider does not find`;
    return { now: undefined, action: 'drop', loss: 'lossy', note };
  }
  return withoutReasoning(message) ?? withoutId(message);
}

function withTexts(message: Message, remedy: Extract<Remedy, { kind: 'pieces' }>): Remedied | undefined {
  const wire = wireOf(message);
  const refused = (type: unknown): boolean =>
    'type' in remedy ? type === remedy.type : message.at === remedy.message && !remedy.keep.includes(String(type));
  const content = textsIn(wire['content'], refused);
  if (content === wire['content']) return undefined;
  const note = 'told a piece of content as text: the provider takes none of its kind there';
  return { now: { wire: withKeys(wire, { content }) }, action: 'demote', loss: 'none', note };
}

/** The same list where nothing in it is refused; what a tool returned is looked through too. */
function textsIn(content: unknown, refused: (type: unknown) => boolean): unknown {
  if (!Array.isArray(content)) return content;
  let changed = false;
  const pieces = (content as unknown[]).map((piece) => {
    if (!isRecord(piece)) return piece;
    const quoted = refused(piece['type']);
    const inner = textsIn(piece['content'], refused);
    changed ||= quoted || inner !== piece['content'];
    if (quoted) return { type: 'text', text: readableText(piece) };
    return inner === piece['content'] ? piece : withKeys(piece, { content: inner });
  });
  return changed ? pieces : content;
}

function readableText(piece: Wire): string {
  const said = piece['text'] ?? piece['refusal'];
  return typeof said === 'string' ? said : `[${String(piece['type'])}] ${readableJson(piece)}`;
}
