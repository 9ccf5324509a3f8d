import type { Sink } from '../../model/codec.ts';
import type { Role } from '../../model/part.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { charactersOf, countKeys, isRecord } from '../../model/value.ts';
import { hasKind, isPairOrThought, kindKeys } from '../foreign-piece.ts';
import { checkValue, scanInput, scanValue } from '../scan-value.ts';
import { hasForeignContent, isMute, roleOf } from './read.ts';
import {
  callIdOf,
  dataKey,
  dataKeys,
  fieldOf,
  isSignature,
  partCharacters,
  type PartField,
  partsIn,
  signatureOf,
  unreadCharacters,
} from './shape.ts';

type Wire = Record<string, unknown>;

/** Reports who speaks, every part and every fact about them. */
export function scan(wire: unknown, sink: Sink): void {
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  if (!isRecord(wire) || role === undefined) return scanUnreadable(wire, sink);
  sink.message(role);
  const parts = partsIn(wire);
  if (sink.deep) scanAside(wire, sink, CONTENT_KEYS);
  if (isMute(parts) && hasForeignContent(wire)) {
    sink.fact('content-unreadable');
    sink.total += unreadCharacters(wire);
  } else if (parts === undefined || parts.length === 0) {
    sink.fact(role === 'system' ? 'system-empty' : 'empty-message');
  } else for (let i = 0; i < parts.length; i += 1) scanPart(parts[i], role, sink);
}

function scanUnreadable(wire: unknown, sink: Sink): void {
  const role = isRecord(wire) ? wire['role'] : undefined;
  sink.message('unreadable');
  if (typeof role === 'string') sink.fact('role-foreign', role);
  else sink.fact('message-unreadable');
  sink.total += unreadCharacters(wire);
}

const CONTENT_KEYS: ReadonlySet<string> = new Set(['role', 'parts']);
const CALL_KEYS: ReadonlySet<string> = new Set(['name', 'args']);
const RESULT_KEYS: ReadonlySet<string> = new Set(['name', 'response', 'parts']);

/** Notes what cannot be sent in the fields of an object that are not looked at one by one. */
function scanAside(wire: Wire, sink: Sink, looked: ReadonlySet<string>): void {
  for (const key in wire) {
    if (looked.has(key) || !Object.hasOwn(wire, key)) continue;
    if (!key.isWellFormed()) sink.fact('lone-surrogate');
    checkValue(wire[key], sink);
  }
}

function scanPart(part: unknown, role: Role, sink: Sink): void {
  if (!isRecord(part)) return scanStranger(part, sink);
  // Nearly every part is its data and nothing else, or its data and a signature.
  const keys = countKeys(part);
  if (keys > 2 || (keys === 2 && typeof part['thoughtSignature'] !== 'string')) return scanFields(part, role, sink);
  const { text, functionCall, functionResponse } = part;
  if (typeof text === 'string') {
    sink.part('text', undefined, false);
    if (!sink.deep) return;
    scanText(text, sink);
    if (keys === 2) scanSignature(part, sink);
  } else if (isRecord(functionCall)) {
    scanCall(part, role, sink);
    if (keys === 2 && sink.deep) scanSignature(part, sink);
  } else if (isRecord(functionResponse)) {
    scanResult(part, role, sink);
    if (keys === 2 && sink.deep) scanSignature(part, sink);
  } else scanFields(part, role, sink);
}

function scanStranger(part: unknown, sink: Sink): void {
  sink.part('opaque', undefined, false);
  sink.fact('part-unreadable');
  sink.total += charactersOf(part);
}

function scanText(text: string, sink: Sink): void {
  sink.total += text.length;
  if (!text.isWellFormed()) sink.fact('lone-surrogate');
}

function scanFields(part: Wire, role: Role, sink: Sink): void {
  const key = dataKey(part);
  const field = fieldOf(part, key);
  scanField(part, { field, role }, sink);
  if (!sink.deep) return;
  if (field !== 'unreadable') scanNames(part, sink);
  if (field === 'call' || field === 'result') return scanAround(part, sink);
  sink.total += partCharacters(part, key);
  checkValue(part, sink);
  scanSignature(part, sink);
}

/** Parts of other formats say what they are; here that is a key like any other, and refused. */
function scanNames(part: Wire, sink: Sink): void {
  if (hasKind(part)) sink.fact('extra-key', kindKeys(part));
}

function scanField(part: Wire, { field, role }: { field: PartField; role: Role }, sink: Sink): void {
  switch (field) {
    case 'call':
      return scanCall(part, role, sink);
    case 'result':
      return scanResult(part, role, sink);
    case 'text':
      sink.part(part['thought'] === true && role === 'assistant' ? 'reasoning' : 'text', undefined, false);
      break;
    case 'media':
      sink.part('media', undefined, false);
      if (role === 'system') sink.fact('part-in-wrong-role', 'user');
      break;
    case 'unreadable':
      sink.part('opaque', undefined, false);
      if (isPairOrThought(part)) sink.fact('content-unreadable', 'tool_calls');
      else sink.fact('part-unreadable');
      break;
    case 'much':
      sink.part('opaque', undefined, false);
      sink.fact('data-twice', dataKeys(part));
      break;
    default:
      sink.part('opaque', undefined, false);
  }
}

function scanSignature(part: Wire, sink: Sink): void {
  const signature = signatureOf(part);
  if (signature !== undefined && !isSignature(signature)) sink.fact('signature-corrupted');
}

function scanCall(part: Wire, role: Role, sink: Sink): void {
  const inner = (part['functionCall'] ?? part['function_call']) as Wire;
  sink.part('call', callIdOf(inner, sink.memory), false);
  if (role !== 'assistant') sink.fact('part-in-wrong-role', 'assistant');
  else if (sink.profile.callSeals === true && signatureOf(part) === undefined) sink.fact('call-unsigned');
  if (!sink.deep) return;
  const { id, name, args } = inner;
  // No result can repeat an id that is a list or an object.
  if (typeof id === 'object' && id !== null && sink.profile.resultIds !== false) sink.fact('part-unreadable');
  if (typeof name === 'string' && name !== '') scanText(name, sink);
  else {
    sink.fact('call-name-malformed');
    scanValue(name, sink);
  }
  if (isRecord(args)) scanInput(args, sink);
  else if (args !== undefined && args !== null) {
    sink.fact('call-input-malformed');
    scanValue(args, sink);
  }
  scanAside(inner, sink, CALL_KEYS);
}

function scanResult(part: Wire, role: Role, sink: Sink): void {
  const inner = (part['functionResponse'] ?? part['function_response']) as Wire;
  const { name, response, parts } = inner;
  const id = callIdOf(inner, sink.memory);
  sink.part('result', id, false);
  if (role !== 'user') sink.fact('part-in-wrong-role', 'user');
  if (isRecord(response) && isOurs(response)) sink.fact('placeholder', id);
  if (!sink.deep) return;
  if (typeof name !== 'string' || name === '') sink.fact('result-name-missing');
  if (isRecord(response)) scanInput(response, sink);
  else {
    sink.fact('result-not-object');
    scanValue(response, sink);
  }
  if (parts !== undefined) scanValue(parts, sink);
  if (typeof name !== 'string' || !name.isWellFormed()) checkValue(name, sink);
  scanAside(inner, sink, RESULT_KEYS);
}

/** True for the response of a result that we invented. */
function isOurs(response: Wire): boolean {
  const { error } = response;
  return typeof error === 'string' && isPlaceholder(error) && countKeys(response) === 1;
}

/** What stands beside a call or a result: its signature, and whatever else. */
function scanAround(part: Wire, sink: Sink): void {
  const signature = signatureOf(part);
  if (signature !== undefined && !isSignature(signature)) sink.fact('signature-corrupted');
  if (countKeys(part) > (signature === undefined ? 1 : 2)) scanAside(part, sink, AROUND_KEYS);
}

const AROUND_KEYS: ReadonlySet<string> = new Set([
  'functionCall',
  'function_call',
  'functionResponse',
  'function_response',
  'thoughtSignature',
  'thought_signature',
]);
