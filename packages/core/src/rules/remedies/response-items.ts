import { isLegalId, PLAIN_ID } from '../../model/call-id.ts';
import { replacePart, type Edit, type Proposal } from '../../model/edit.ts';
import { pairKey, textPart, type CallPart, type Message, type Part, type ResultPart } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { RESULT_TEXTS, TEXTS } from '../../model/synthetic.ts';
import { isRecord, readableJson, withKeys } from '../../model/value.ts';
import { resultOf, partOf, placeOf, wireOf } from './place.ts';
import { quoteReasoningAt } from './quote.ts';

type Wire = Readonly<Record<string, unknown>>;

/** The types of entries whose calls have a name and take and give text. */
const WRITTEN: ReadonlyMap<unknown, string> = new Map([
  ['function_call', 'function_call_output'],
  ['custom_tool_call', 'custom_tool_call_output'],
]);

/** What a framework writes where an entry has no id. */
const NO_ID: ReadonlySet<unknown> = new Set(['', 'FAKE_ID']);

/** The entry of the list that a fact is about, as it came. */
export function itemOf(found: Case): Wire {
  return wireOf(found.message(found.fact.message));
}

/** True for a call whose arguments are a text: one that is an entry of its own. */
export function isWrittenCall(part: Part): boolean {
  return WRITTEN.has(wireOf(part)['type']);
}

/** What the provider calls a call of this type, or its output. */
export function spokenType(part: Part): string {
  const type = String(wireOf(part)['type']);
  if (type === 'function_call_output') return 'function call output';
  return type.replace(/_result$/, '_output').replaceAll('_', ' ');
}

/** What the provider says of a result that names no call; nothing is on record where it names nothing. */
export function missingCall(found: Case): string | undefined {
  const result = resultOf(found, found.fact);
  if (result.callId === '') return undefined;
  return `No tool call found for ${spokenType(result)} with call_id ${result.callId}.`;
}

/** True for a call that nobody but a person at a screen could answer, so that no text can close it. */
export function isUnclosable(call: CallPart): boolean {
  return wireOf(call)['type'] === 'computer_call';
}

/** What a shell returns for a command that it did not run. */
const NOT_RUN = 126;

/** A command ends by itself or is cut off; one that never ran is told as a shell tells it, all others as cut off. */
function shellOutcome(text: string, ours: boolean): Wire {
  if (text !== RESULT_TEXTS['not-started'] && text !== RESULT_TEXTS.denied) return { type: 'timeout' };
  return { type: 'exit', [ours ? 'exitCode' : 'exit_code']: NOT_RUN };
}

/** The invented output of a call whose output is not that of a function. */
export function inventedOutput(call: CallPart, callId: string, text: string): { wire?: unknown } {
  const asked = wireOf(call);
  const common = 'callId' in asked ? { callId } : { call_id: callId };
  switch (asked['type']) {
    case 'custom_tool_call':
      return { wire: { type: 'custom_tool_call_output', ...common, output: text } };
    case 'apply_patch_call':
      return { wire: { type: 'apply_patch_call_output', ...common, status: 'failed', output: text } };
    case 'shell_call': {
      const output = [{ stdout: '', stderr: text, outcome: shellOutcome(text, 'callId' in asked) }];
      return { wire: { type: 'shell_call_output', ...common, output } };
    }
    case 'local_shell_call': {
      const named = PLAIN_ID.test(callId) ? { id: callId } : common;
      return { wire: { type: 'local_shell_call_output', ...named, output: text } };
    }
    case 'tool_search_call': {
      const nothing = { execution: 'client', status: 'incomplete', tools: [] };
      return { wire: { type: 'tool_search_output', ...common, ...nothing } };
    }
    default:
      return {};
  }
}

/** The result in the type that its call wants; undefined where the two have nothing in common. */
export function retyped(result: ResultPart, call: CallPart): ResultPart | undefined {
  const asked = String(wireOf(call)['type']);
  const own = String(wireOf(result)['type']);
  // In other dialects calls and results are of one type each.
  if (!asked.endsWith('_call') || own.startsWith(asked.replace(/_call$/, ''))) return result;
  const type = WRITTEN.get(asked);
  const written = [...WRITTEN.values()].includes(own);
  return written && type !== undefined ? { ...result, wire: withKeys(result.wire, { type }) } : undefined;
}

/**
 * Reasoning that cannot stay where it is: kept as text that says what it is, or removed where nobody can read it. What
 * came of it goes without its ids.
 */
export function setThoughtAside(found: Case, why: string): Proposal {
  const edit = quoteReasoningAt(found, found.fact.message);
  const edits = [edit];
  if (edit.parts.length > 0) {
    return withoutIdsBehind(found, { edits, action: 'demote', loss: 'none', note: `kept reasoning as text: ${why}` });
  }
  return withoutIdsBehind(found, { edits, action: 'drop', loss: 'lossy', note: `removed reasoning: ${why}` });
}

/** What came of a thought that goes is not known by its id without it; up to the next thought, or the user. */
export function withoutIdsBehind(found: Case, proposal: Proposal): Proposal {
  const edits: Edit[] = [...proposal.edits];
  const beside: { message: number; note: string }[] = [];
  for (let message = found.fact.message + 1; message < found.count; message += 1) {
    const entry = found.message(message);
    if (beginsAnew(entry)) break;
    const { id } = wireOf(entry);
    if (entry.role !== 'assistant' || typeof id !== 'string' || NO_ID.has(id)) continue;
    edits.push({ kind: 'drop-keys', message, keys: ['id'] });
    beside.push({ message, note: `removed the id ${id}: the reasoning that it needs is gone` });
  }
  return beside.length === 0 ? proposal : { ...proposal, edits, beside };
}

/** True for an entry that comes of no thought before it, and with it all that follows. */
export function beginsAnew(entry: Message): boolean {
  const [part] = entry.parts;
  // A result that we have quoted stands where it stood, and nobody has spoken there.
  if (entry.role === 'user') return part?.kind !== 'text' || !part.text.startsWith(TEXTS.orphan);
  return part?.kind === 'reasoning' || isReference(wireOf(entry));
}

/** Sends an entry without the id under which the provider would look for it. */
export function withoutId(found: Case, note: string): Proposal {
  const edits: Edit[] = [{ kind: 'drop-keys', message: found.fact.message, keys: ['id'] }];
  return { edits, action: 'rewrite', loss: 'none', note };
}

/**
 * True for a call that was stored twice in one step: the entry that the fact names has the same id, and the same call
 * in it. Both ids are made distinct by one edit.
 */
export function isStoredTwice(found: Case): boolean {
  const { message, other } = found.fact;
  const entry = found.message(message);
  const { id } = wireOf(entry);
  if (other === undefined || typeof id !== 'string' || NO_ID.has(id)) return false;
  const first = found.message(other.message);
  const [own] = entry.parts;
  const [call] = first.parts;
  if (own?.kind !== 'call' || own.wire !== entry.wire || call?.kind !== 'call') return false;
  // One that cannot be sent is replaced by another rule, in both calls alike.
  if (!isLegalId(own.callId, found.profile)) return false;
  if (wireOf(first)['id'] !== id || pairKey(own) !== pairKey(call)) return false;
  return found.callsNear(message) === found.callsNear(other.message);
}

/** Leaves out an entry that says nothing by itself. */
export function leaveOut(found: Case, note: string): Proposal {
  const edits: Edit[] = [{ kind: 'message', message: found.fact.message, messages: [] }];
  return { edits, action: 'drop', loss: 'lossy', note };
}

/** Quotes an entry as text of the assistant. */
export function quoteItem(found: Case, note: string): Proposal {
  const at = placeOf(found);
  const part = partOf(found);
  const wire = wireOf(part);
  const quote = textPart(`[${String(wire['type'])}] ${readableJson(wire)}`, part.characters, part.at);
  return { edits: [replacePart(at, quote)], action: 'demote', loss: 'none', note };
}

/** True for a reference to something that the provider has kept. */
export function isReference({ type, role }: Wire): boolean {
  return type === 'item_reference' || ((type === undefined || type === null) && role === undefined);
}

/** The media types of files that the provider does not take. */
const REFUSED_FILE = /^data:((?:audio|video)\/[^;,]*)/;

export function refusedFileType(piece: unknown): string | undefined {
  const data = isRecord(piece) && piece['type'] === 'input_file' ? piece['file_data'] : undefined;
  return typeof data === 'string' ? REFUSED_FILE.exec(data)?.[1] : undefined;
}

/** A piece of content in the types of this dialect; `tag` is the type that texts have there. */
export function retagged(piece: unknown, tag: string): Wire {
  const wire = isRecord(piece) ? piece : {};
  const refused = refusedFileType(piece);
  if (refused !== undefined) {
    const name = readableJson(wire['filename'] ?? 'file');
    return { type: tag, text: `[${name}: a file of type ${refused.toWellFormed()} cannot be sent]` };
  }
  const said = wire['text'] ?? wire['refusal'] ?? (typeof piece === 'string' ? piece : undefined);
  if (typeof said === 'string') return { type: tag, text: said.toWellFormed() };
  const media = tag === 'input_text' ? foreignMedia(wire) : undefined;
  return media ?? { type: tag, text: readableJson(piece ?? '') };
}

/** Pictures and files as other APIs of chat carry them. */
function foreignMedia(wire: Wire): Wire | undefined {
  const { type, image_url: image, file, source } = wire;
  if (type === 'image_url') {
    const url = isRecord(image) ? image['url'] : image;
    return typeof url === 'string' ? { type: 'input_image', image_url: url } : undefined;
  }
  if (type === 'file' && isRecord(file)) return { type: 'input_file', ...file };
  if (type !== 'image' || !isRecord(source)) return undefined;
  const { media_type: media, data, url } = source;
  if (typeof url === 'string') return { type: 'input_image', image_url: url };
  if (typeof media !== 'string' || typeof data !== 'string') return undefined;
  return { type: 'input_image', image_url: `data:${media};base64,${data}` };
}
