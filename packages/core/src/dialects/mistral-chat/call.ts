import { idText, isLegalId, isPlainName } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import { charactersOf, countKeys, isRecord } from '../../model/value.ts';
import { callCharacters } from '../openai-chat/message.ts';
import { checkValue } from '../scan-value.ts';

type Wire = Record<string, unknown>;

/** Reads one call of an answer; a list in the spelling of another API holds none that can be sent as it is. */
export function scanCall(call: unknown, camel: boolean, sink: Sink): void {
  sink.part('call', isRecord(call) ? idText(call['id']) : undefined, false);
  if (!isRecord(call)) {
    sink.fact('part-unreadable');
    sink.total += charactersOf(call);
    return;
  }
  if (!sink.deep) return;
  const { id, function: callee } = call;
  if (camel || typeof id !== 'string' || !isLegalId(id, sink.profile)) sink.fact('call-id-malformed');
  const name = isRecord(callee) ? callee['name'] : undefined;
  const input = isRecord(callee) ? callee['arguments'] : undefined;
  const named = typeof name === 'string' && isPlainName(name);
  if (!named) sink.fact('call-name-malformed');
  if (typeof input !== 'string' && !isRecord(input)) sink.fact('call-input-malformed');
  if (named && typeof input === 'string' && isPlainCall(call, callee as Wire) && input.isWellFormed()) {
    sink.total += name.length + input.length;
    return;
  }
  sink.total += callCharacters(call);
  checkValue(call, sink);
}

/** True for a call whose other keys are its id, its type and its number. */
function isPlainCall(call: Wire, callee: Wire): boolean {
  const { id, type, index } = call;
  if (typeof id !== 'string' || !id.isWellFormed() || countKeys(callee) !== 2) return false;
  return countKeys(call) === (type === 'function' ? 3 : 2) + (typeof index === 'number' ? 1 : 0);
}
