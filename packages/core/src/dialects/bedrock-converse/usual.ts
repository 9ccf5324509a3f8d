import { isSoundId } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { countKeys, isBlank, plainCharacters } from '../../model/value.ts';
import { isPlainName } from '../met-names.ts';

type Wire = Readonly<Record<string, unknown>>;
type Usual = { readonly role: 'user' | 'assistant'; readonly content: readonly unknown[] };

/** True for a message of the user or the assistant with some blocks and nothing else to look at. */
export function isUsualMessage(wire: unknown): wire is Usual {
  if (typeof wire !== 'object' || wire === null) return false;
  const { role, content } = wire as Wire;
  if ((role !== 'user' && role !== 'assistant') || !Array.isArray(content)) return false;
  return content.length > 0 && countKeys(wire) === 2;
}

// Each reads a block of the shapes that nearly all blocks have, in depth and with nothing wrong in it; tells the sink
// nothing of any other. What the assistant says is read apart from what the user says, so that the engine meets few
// shapes in one place.

export function scanUsualOfAssistant(part: unknown, sink: Sink): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const call = (part as Wire)['toolUse'];
  if (typeof call !== 'object' || call === null) return scanUsualText(part as Wire, sink);
  const { toolUseId: id, name, input } = call as Wire;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof input !== 'object' || input === null) return false;
  if (countKeys(part) !== 1 || countKeys(call) !== 3 || !isPlainName(name)) return false;
  if (!isSoundId(id, sink.profile)) return false;
  const characters = plainCharacters(input as Wire);
  if (characters < 0) return false;
  sink.part('call', id, false);
  sink.total += characters + name.length;
  return true;
}

/** Says what the block is. */
export function scanUsualOfUser(part: unknown, sink: Sink): 'text' | 'toolResult' | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  const result = (part as Wire)['toolResult'];
  if (typeof result !== 'object' || result === null) return scanUsualText(part as Wire, sink) ? 'text' : undefined;
  const { toolUseId: id, content, status } = result as Wire;
  if (typeof id !== 'string' || id === '' || !Array.isArray(content) || content.length !== 1) return undefined;
  if (status !== undefined && !isUsualStatus(status, sink)) return undefined;
  if (countKeys(part) !== 1 || countKeys(result) !== (status === undefined ? 2 : 3)) return undefined;
  const text = textOf(content[0]);
  if (text === '' || !id.isWellFormed()) return undefined;
  sink.part('result', id, false);
  if (isPlaceholder(text)) sink.fact('placeholder', id);
  sink.total += text.length;
  return 'toolResult';
}

function isUsualStatus(status: unknown, { profile }: Sink): boolean {
  return (status === 'success' || status === 'error') && profile.resultStatus !== false;
}

function scanUsualText(part: Wire, sink: Sink): boolean {
  const text = textOf(part);
  if (text === '') return false;
  sink.part('text', undefined, false);
  sink.total += text.length;
  return true;
}

/** The text of a block that is a text and nothing else; empty where it is another, or none that every model takes. */
function textOf(part: unknown): string {
  const text = typeof part === 'object' && part !== null ? (part as Wire)['text'] : undefined;
  if (typeof text !== 'string' || countKeys(part as Wire) !== 1 || isBlank(text) || !text.isWellFormed()) return '';
  return text;
}
