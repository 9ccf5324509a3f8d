import { nameId } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { countKeys, isRecord } from '../../model/value.ts';
import { scanInput } from '../anthropic-messages/keys.ts';
import { isSignature } from './part.ts';

type Wire = Readonly<Record<string, unknown>>;

type Content = { readonly role: 'model' | 'user'; readonly parts: readonly unknown[] };

/** True for a content of the model or the user with some parts and nothing else to look at. */
export function isUsualContent(wire: unknown): wire is Content {
  if (typeof wire !== 'object' || wire === null) return false;
  const { role, parts } = wire as Wire;
  if ((role !== 'model' && role !== 'user') || !Array.isArray(parts)) return false;
  return parts.length > 0 && countKeys(wire) === 2;
}

// Each reads a part of the shapes that nearly all parts have, in depth; says false, and tells the sink nothing, for any
// other. What the model says is read apart from what the user says, so that the engine meets few shapes in one place.

export function scanUsualOfModel(part: unknown, sink: Sink): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const call = (part as Wire)['functionCall'];
  if (typeof call !== 'object' || call === null) return scanUsualText(part as Wire, sink);
  const { id, name, args } = call as Wire;
  if (typeof name !== 'string' || name === '' || !isRecord(args)) return false;
  const callId = usualId(id, name);
  if (callId === '' || countKeys(call) !== (id === undefined ? 2 : 3) || !name.isWellFormed()) return false;
  const signature = (part as Wire)['thoughtSignature'];
  if (signature === undefined) {
    if (countKeys(part) !== 1) return false;
    sink.part('call', callId, false);
    if (sink.profile.callSeals === true) sink.fact('call-unsigned');
  } else {
    if (countKeys(part) !== 2 || !isSignature(signature)) return false;
    sink.part('call', callId, false);
  }
  sink.total += name.length;
  scanInput(args, sink);
  return true;
}

function scanUsualText(part: Wire, sink: Sink): boolean {
  const { text } = part;
  if (typeof text !== 'string' || countKeys(part) !== 1 || !text.isWellFormed()) return false;
  sink.part('text', undefined, false);
  sink.total += text.length;
  return true;
}

export function scanUsualOfUser(part: unknown, sink: Sink): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const inner = (part as Wire)['functionResponse'];
  if (typeof inner !== 'object' || inner === null) return scanUsualText(part as Wire, sink);
  const { id, name, response } = inner as Wire;
  if (typeof name !== 'string' || name === '' || !isRecord(response)) return false;
  const callId = usualId(id, name);
  if (callId === '' || countKeys(inner) !== (id === undefined ? 2 : 3) || !name.isWellFormed()) return false;
  if (countKeys(part) !== 1) return false;
  sink.part('result', callId, false);
  scanResponse(response, callId, sink);
  return true;
}

function scanResponse(response: Wire, id: string, sink: Sink): void {
  const { result, error } = response;
  if (typeof result === 'string' && Object.getPrototypeOf(response) === Object.prototype) {
    if (result.isWellFormed() && countKeys(response) === 1) {
      sink.total += result.length;
      return;
    }
  }
  if (typeof error === 'string' && isPlaceholder(error) && countKeys(response) === 1) sink.fact('placeholder', id);
  scanInput(response, sink);
}

const DIGIT = 48;

/** The id of a call, or what stands for one that is not there; empty for one that has to be looked at. */
function usualId(id: unknown, name: string): string {
  if (id === undefined) return nameId(name);
  // Marks come before the letters and digits.
  return typeof id === 'string' && id.charCodeAt(0) >= DIGIT && id.isWellFormed() ? id : '';
}
