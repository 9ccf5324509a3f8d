import { idText, isLegalId, PLAIN_ID } from '../../model/call-id.ts';
import type { Codec, RequestFacts, Sink } from '../../model/codec.ts';
import type { Role } from '../../model/part.ts';
import { isBlank, isRecord } from '../../model/value.ts';
import { contentCharacters, isOutdated, isUnread, pointer, read, roleOf, salvage, write } from './message.ts';
import {
  callCharacters,
  inputOf,
  isSealed,
  isSent,
  isServer,
  isSettled,
  outputCharacters,
  shapeOf,
  toolName,
} from './part.ts';
import { isPairOrThought } from '../foreign-piece.ts';
import { salvageable, strangerCharacters } from '../salvage.ts';
import { checkKeys, checkValue } from '../scan-value.ts';
import { withForeign } from '../restore.ts';
import { retellState } from '../retell.ts';
import { StepIds } from './step-ids.ts';

type Wire = Record<string, unknown>;

const NO_TOOLS: ReadonlySet<string> = new Set();
const LONGEST_NAME = 128;
const READ_KEYS: ReadonlySet<string> = new Set(['role', 'parts']);

/** Reads and writes the messages of the AI SDK's user interface, in which a call and its result are one part. */
export const aiSdkUi: Codec = withForeign({
  dialect: 'ai-sdk-ui',
  listKey: 'messages',
  results: 'tool',
  wholePairs: true,
  scan,
  request,
  read,
  write,
  retell: retellState,
  salvage,
  pointer,
});

function scan(wire: unknown, sink: Sink): void {
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  if (!isRecord(wire) || role === undefined) return scanUnreadable(wire, sink);
  sink.message(role);
  const parts = wire['parts'];
  const outdated = isOutdated(wire, role);
  if (outdated || !Array.isArray(parts) || isUnread(wire, role)) {
    sink.fact('content-unreadable', outdated ? 'tool_calls' : undefined);
    sink.total += contentCharacters(wire);
    return;
  }
  if (sink.deep) checkKeys(wire, READ_KEYS, sink);
  scanParts(parts, role, sink);
}

function scanUnreadable(wire: unknown, sink: Sink): void {
  const role = isRecord(wire) ? wire['role'] : undefined;
  sink.message('unreadable');
  if (typeof role === 'string') sink.fact('role-foreign', role);
  else sink.fact('message-unreadable');
  sink.total += salvageable(wire);
}

function scanParts(parts: readonly unknown[], role: Role, sink: Sink): void {
  if (role === 'user' && !sends(parts)) sink.fact('empty-message', parts.some(isKept) ? 'kept' : undefined);
  else if (role === 'system' && parts.length === 0) sink.fact('system-empty');
  const step = new StepIds();
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i];
    if (endsStep(part)) step.clear();
    switch (shapeOf(part, role)) {
      case 'text':
        sink.part('text', undefined, false);
        if (sink.deep) scanText((part as { text: string }).text, role, sink);
        break;
      case 'reasoning':
        sink.part('reasoning', undefined, false);
        if (isSealed(part as Wire) && endsBlock(parts, i)) sink.fact('reasoning-last');
        if (sink.deep) sink.total += (part as { text: string }).text.length;
        break;
      case 'tool':
        scanTool(part as Wire, step, sink);
        break;
      case 'media':
        sink.part('media', undefined, false);
        if (sink.deep) sink.total += strangerCharacters(part);
        break;
      case 'other':
        sink.part('opaque', undefined, false);
        if (sink.deep) sink.total += strangerCharacters(part);
        break;
      case 'unreadable':
        sink.part('opaque', undefined, false);
        if (isTypeless(part) && isPairOrThought(part)) sink.fact('content-unreadable', 'tool_calls');
        else sink.fact('part-unreadable');
        sink.total += strangerCharacters(part);
    }
    if (sink.deep) checkValue(part, sink);
  }
}

function isTypeless(part: unknown): boolean {
  return isRecord(part) && typeof part['type'] !== 'string';
}

function sends(parts: readonly unknown[]): boolean {
  for (let i = 0; i < parts.length; i += 1) if (isSent(parts[i], 'user')) return true;
  return false;
}

/** True for what the user said in a kind that no model is shown, which is carried all the same. */
function isKept(part: unknown): boolean {
  return shapeOf(part, 'user') === 'other' && !endsStep(part);
}

/** True for what stands between two answers of the model in one message. */
function endsStep(part: unknown): boolean {
  const type = isRecord(part) ? part['type'] : undefined;
  return type === 'step-start' || type === 'steering-message';
}

/** True when nothing more is said before the next step of the model. */
function endsBlock(parts: readonly unknown[], index: number): boolean {
  for (let i = index + 1; i < parts.length; i += 1) {
    if (endsStep(parts[i])) return true;
    if (isSent(parts[i], 'assistant')) return false;
  }
  return true;
}

function scanText(text: string, role: Role, sink: Sink): void {
  sink.total += text.length;
  if (role === 'system' || text === '' || sink.profile.blankText === true) return;
  if (isBlank(text)) sink.fact('blank-text');
}

/**
 * A call with its outcome needs no pairing, and is reported as the provider reports its own pairs; one without waits
 * for a result like any other.
 */
function scanTool(part: Wire, step: StepIds, sink: Sink): void {
  const { toolCallId } = part;
  const settled = isSettled(part);
  const server = isServer(part);
  const id = idText(toolCallId) ?? '';
  sink.part('call', settled || id !== '' ? id : undefined, settled || server);
  const copies = step.add(id, settled || server);
  if (copies > 0) sink.fact('call-id-again', String(copies));
  if (sink.deep) {
    sink.total += callCharacters(part);
    if (inputOf(part) === undefined) sink.fact('call-input-malformed');
    if (typeof toolCallId !== 'string' || (!server && !isLegalId(toolCallId, sink.profile))) {
      sink.fact('call-id-malformed');
    }
    if (!isLegalName(toolName(part), server)) sink.fact('call-name-malformed');
  }
  if (!settled) return;
  sink.part('result', id, true);
  if (part['preliminary'] === true && part['state'] === 'output-available') sink.fact('output-preliminary');
  if (sink.deep) sink.total += outputCharacters(part);
}

function isLegalName(name: unknown, server: boolean): boolean {
  if (typeof name !== 'string') return false;
  return server || (name.length <= LONGEST_NAME && PLAIN_ID.test(name));
}

function request(body: Readonly<Wire>): RequestFacts {
  const tools = isRecord(body['tools']) ? new Set(Object.keys(body['tools'])) : undefined;
  return {
    tools,
    toolCount: tools?.size ?? 0,
    serverTools: NO_TOOLS,
    reasoningRequired: false,
    reasoningOn: false,
    markers: 0,
  };
}
