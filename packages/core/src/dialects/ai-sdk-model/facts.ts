import { idText, isLegalId, PLAIN_ID } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import type { Role } from '../../model/part.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { isBlank, isRecord } from '../../model/value.ts';
import { saysElsewhere } from '../elsewhere.ts';
import { isPairOrThought } from '../foreign-piece.ts';
import { namingCharacters, salvageable } from '../salvage.ts';
import { checkKeys, checkValue } from '../scan-value.ts';
import {
  callCharacters,
  ClientCalls,
  isBeside,
  isContent,
  isOutput,
  isSealed,
  isUnread,
  otherCharacters,
  outputCharacters,
  outputOf,
  roleOf,
  shapeOf,
  type Shape,
} from './shape.ts';

type Wire = Record<string, unknown>;

const LONGEST_NAME = 128;
const READ_KEYS: ReadonlySet<string> = new Set(['role', 'content']);

/** Reports who speaks, every part and every fact about them. */
export function scan(wire: unknown, sink: Sink): void {
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  if (!isRecord(wire) || role === undefined) return scanUnreadable(wire, sink);
  sink.message(role);
  const content = wire['content'];
  const beside = isBeside(wire, role);
  const hidden = isUnread(wire) || (content === '' && isRefusedEmpty(role, sink) && saysElsewhere(wire, 'content'));
  if (beside || hidden || !isContent(content, role)) {
    sink.fact('content-unreadable', beside ? 'tool_calls' : hidden ? 'elsewhere' : undefined);
    sink.total += salvageable(wire);
    return;
  }
  if (sink.deep) scanKeys(wire, sink);
  if (typeof content === 'string') scanString(content, role, sink);
  else scanParts(content as unknown[], role, sink);
}

/** A call or a result of this dialect that lacks something is none of another. */
function isForeign(part: unknown): boolean {
  const type = isRecord(part) ? part['type'] : undefined;
  return type !== 'tool-call' && type !== 'tool-result' && type !== 'reasoning' && isPairOrThought(part);
}

function isRefusedEmpty(role: Role, { profile }: Sink): boolean {
  return role !== 'system' && profile.blankText !== true;
}

function scanUnreadable(wire: unknown, sink: Sink): void {
  const role = isRecord(wire) ? wire['role'] : undefined;
  sink.message('unreadable');
  if (typeof role === 'string') sink.fact('role-foreign', role);
  else sink.fact('message-unreadable');
  sink.total += salvageable(wire);
}

/** Keys beside the content are carried; they only have to be something that can be sent. */
function scanKeys(wire: Wire, sink: Sink): void {
  checkKeys(wire, READ_KEYS, sink);
  const options = wire['providerOptions'];
  if (options !== undefined && !isOptions(options)) sink.fact('extra-key', ['providerOptions']);
}

function scanString(content: string, role: Role, sink: Sink): void {
  sink.part('text', undefined, false);
  if (!sink.deep) return;
  sink.total += content.length;
  if (!content.isWellFormed()) sink.fact('lone-surrogate');
  if (role !== 'system' && sink.profile.blankText !== true && isBlank(content)) sink.fact('blank-text');
}

function scanParts(content: readonly unknown[], role: Role, sink: Sink): void {
  const last = role === 'tool' ? -1 : lastSent(content, role);
  if (role === 'tool' ? content.length === 0 : last === -1) sink.fact('empty-message');
  const calls = new ClientCalls(content);
  for (let i = 0; i < content.length; i += 1) {
    const part = content[i];
    const shape = shapeOf(part, role, calls);
    sink.part(shape.kind, idOf(part, shape), shape.server);
    if (shape.kind === 'opaque' && isForeign(part)) sink.fact('content-unreadable', 'tool_calls');
    else if (shape.unreadable) sink.fact('part-unreadable');
    else if (shape.belongs !== undefined) sink.fact('part-in-wrong-role', shape.belongs);
    else if (shape.refused) sink.fact('part-refused');
    scanStructure(part, shape, sink);
    if (i === last && shape.kind === 'reasoning' && isSealed(part as Wire)) sink.fact('reasoning-last');
    if (sink.deep) scanPart(part, shape, sink);
  }
}

/** The framework leaves some parts out, so the last one that it sends is the end of the message. */
function lastSent(content: readonly unknown[], role: Role): number {
  let last = content.length - 1;
  while (last >= 0 && !isSent(content[last], role)) last -= 1;
  return last;
}

function idOf(part: unknown, { kind }: Shape): string | undefined {
  if (kind !== 'call' && kind !== 'result') return undefined;
  return idText((part as Wire)['toolCallId']);
}

/** What matters for pairs, also where a message is known to be sound by itself. */
function scanStructure(part: unknown, { kind, server }: Shape, sink: Sink): void {
  const wire = part as Wire;
  if (kind === 'result' && !server) scanPlaceholder(wire, sink);
  else if (kind === 'opaque' && isRecord(part) && wire['type'] === 'tool-approval-response') sink.fact('approval');
}

function scanPlaceholder(wire: Wire, sink: Sink): void {
  const output = wire['output'];
  const id = idText(wire['toolCallId']);
  const said = isRecord(output) && output['type'] === 'error-text' ? output['value'] : undefined;
  if (id !== undefined && typeof said === 'string' && isPlaceholder(said)) sink.fact('placeholder', id);
}

function scanPart(part: unknown, shape: Shape, sink: Sink): void {
  const characters = checkValue(part, sink);
  if (!isRecord(part) || shape.unreadable) {
    sink.total += characters - namingCharacters(part);
    return;
  }
  const options = part['providerOptions'];
  if (options !== undefined && !isOptions(options)) sink.fact('extra-key', ['providerOptions']);
  switch (shape.kind) {
    case 'text':
      scanText(part['text'] as string, sink);
      return;
    case 'reasoning':
      sink.total += (part['text'] as string).length;
      return;
    case 'call':
      scanCall(part, shape, sink);
      return;
    case 'result':
      sink.total += outputCharacters(part);
      if (typeof part['toolCallId'] === 'number' && !shape.server) sink.fact('call-id-malformed');
      if (typeof part['toolName'] !== 'string') sink.fact('result-name-missing');
      if (!isOutput(outputOf(part)) || part['output'] === undefined) sink.fact('result-output-malformed');
      return;
    default:
      sink.total += otherCharacters(part);
  }
}

function scanText(text: string, sink: Sink): void {
  sink.total += text.length;
  if (text !== '' && sink.profile.blankText !== true && isBlank(text)) sink.fact('blank-text');
}

function scanCall(part: Wire, { server }: Shape, sink: Sink): void {
  const { toolCallId, toolName, input, providerExecuted } = part;
  sink.total += callCharacters(part);
  if (input === undefined) sink.fact('call-input-malformed');
  if (providerExecuted !== undefined && typeof providerExecuted !== 'boolean') {
    sink.fact('extra-key', ['providerExecuted']);
  }
  if (server) return;
  if (typeof toolCallId !== 'string' || !isLegalId(toolCallId, sink.profile)) sink.fact('call-id-malformed');
  const named = typeof toolName === 'string' && toolName.length <= LONGEST_NAME && PLAIN_ID.test(toolName);
  if (!named) sink.fact('call-name-malformed');
}

/** True for a part that is left in the message when the framework makes a request of it. */
function isSent(part: unknown, role: Role): boolean {
  if (!isRecord(part)) return true;
  if (part['type'] === 'tool-approval-request') return false;
  if (part['type'] !== 'text' || part['text'] !== '') return true;
  return role === 'assistant' && (part['providerOptions'] ?? undefined) !== undefined;
}

/** Options are kept by provider, and each provider's are an object. */
function isOptions(options: unknown): boolean {
  if (!isRecord(options)) return false;
  for (const key in options) if (Object.hasOwn(options, key) && !isRecord(options[key])) return false;
  return true;
}
