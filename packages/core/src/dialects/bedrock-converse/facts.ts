import { isLegalId, isPlainName } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import type { Role } from '../../model/part.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { charactersOf, countKeys, isBlank, isRecord } from '../../model/value.ts';
import { saysElsewhere } from '../elsewhere.ts';
import { isPairOrThought } from '../foreign-piece.ts';
import { strangerCharacters } from '../salvage.ts';
import { checkKeys, checkValue } from '../scan-value.ts';
import {
  idOf,
  isSealed,
  isServerCall,
  isServerResult,
  type Member,
  memberOf,
  resultCharacters,
  thoughtOf,
  unreadCharacters,
} from './read.ts';

type Wire = Record<string, unknown>;

const REFUSED_IN_RESULTS: ReadonlySet<string> = new Set(['toolUse', 'toolResult', 'reasoningContent']);
const READ_KEYS: ReadonlySet<string> = new Set(['content']);

/** Reports who speaks, every part and every fact about them. */
export function scan(wire: unknown, sink: Sink): void {
  const role = isRecord(wire) ? wire['role'] : undefined;
  if (!isRecord(wire) || (role !== 'user' && role !== 'assistant' && role !== 'system')) {
    return scanUnreadable(wire, role, sink);
  }
  sink.message(role);
  const content = wire['content'];
  if (!Array.isArray(content) || (content.length === 0 && saysElsewhere(wire, 'content'))) {
    sink.fact('content-unreadable');
    sink.total += unreadCharacters(wire);
    return;
  }
  // Keys beside the content are carried; they only have to be something that can be sent.
  if (sink.deep) checkKeys(wire, READ_KEYS, sink);
  if (content.length === 0) return sink.fact(role === 'system' ? 'system-empty' : 'empty-message');
  if (role === 'assistant') scanAssistant(content, sink);
  else if (role === 'user') scanUser(content, sink);
  else for (let i = 0; i < content.length; i += 1) scanPart(content[i], role, sink);
}

function scanUnreadable(wire: unknown, role: unknown, sink: Sink): void {
  sink.message('unreadable');
  if (typeof role === 'string') sink.fact('role-foreign', role);
  else sink.fact('message-unreadable');
  sink.total += unreadCharacters(wire);
}

function scanAssistant(content: readonly unknown[], sink: Sink): void {
  let reasoning = false;
  for (let i = 0; i < content.length; i += 1) {
    const before = reasoning;
    reasoning = scanPart(content[i], 'assistant', sink) === 'reasoningContent';
    if (!reasoning) continue;
    if (!before && i > 0 && !opensWithReasoning(content[0])) sink.fact('reasoning-not-first');
    if (i === content.length - 1) sink.fact('reasoning-last');
  }
}

function opensWithReasoning(first: unknown): boolean {
  return isRecord(first) && memberOf(first) === 'reasoningContent';
}

function scanUser(content: readonly unknown[], sink: Sink): void {
  let results = false;
  let others = false;
  for (let i = 0; i < content.length; i += 1) {
    const member = scanPart(content[i], 'user', sink);
    if (member === 'toolResult') results = true;
    else if (member !== 'cachePoint') others = true;
  }
  if (results && others && sink.profile.resultsAlone === true) sink.fact('results-mixed');
}

function scanStranger(part: unknown, sink: Sink): void {
  sink.part('opaque', undefined, false);
  if (isPairOrThought(part)) sink.fact('content-unreadable', 'tool_calls');
  else sink.fact('part-unreadable');
  sink.total += strangerCharacters(part);
}

function scanPart(part: unknown, role: Role, sink: Sink): Member | undefined {
  const member = isRecord(part) ? memberOf(part) : undefined;
  if (member === undefined) scanStranger(part, sink);
  else if (member === 'toolUse') scanCall(part as Wire, role, sink);
  else if (member === 'toolResult') scanResult(part as Wire, role, sink);
  else if (member === 'text') scanText(part as Wire, sink);
  else if (member === 'reasoningContent') scanReasoning(part as Wire, role, sink);
  else scanOther(part as Wire, member, sink);
  return member;
}

function scanOther(part: Wire, member: string, sink: Sink): void {
  sink.part(member === 'media' ? 'media' : 'opaque', undefined, false);
  if (member === 'cachePoint') sink.fact('cache-marker');
  if (!sink.deep) return;
  const characters = checkValue(part, sink);
  if (member !== 'cachePoint') sink.total += characters;
  const guarded = isRecord(part['guardContent']) ? part['guardContent']['text'] : undefined;
  const said = isRecord(guarded) ? guarded['text'] : undefined;
  if (typeof said === 'string' && isRefusedText(said, sink)) sink.fact('blank-text');
}

/** An empty text is refused by every model, one of white space by most. */
function isRefusedText(text: string, sink: Sink): boolean {
  return text === '' || (sink.profile.blankText !== true && isBlank(text));
}

function scanText(part: Wire, sink: Sink): void {
  sink.part('text', undefined, false);
  if (!sink.deep) return;
  const text = String(part['text']);
  sink.total += text.length;
  if (isRefusedText(text, sink)) sink.fact('blank-text');
  else if (countKeys(part) !== 1) checkValue(part, sink);
  else if (!text.isWellFormed()) sink.fact('lone-surrogate');
}

function scanCall(part: Wire, role: Role, sink: Sink): void {
  const call = part['toolUse'] as Wire;
  const id = call['toolUseId'];
  const server = isServerCall(call);
  sink.part('call', idOf(id), server);
  if (role !== 'assistant') sink.fact('part-in-wrong-role', 'assistant');
  if (!sink.deep) return;
  const { name, input } = call;
  sink.total += charactersOf(name) + charactersOf(input);
  checkValue(part, sink);
  const { broken } = sink.memory.tally;
  if (server) return;
  if (typeof id !== 'string' || !isLegalId(id, sink.profile)) sink.fact('call-id-malformed');
  if (typeof name !== 'string' || !isPlainName(name)) sink.fact('call-name-malformed');
  // What goes round in circles has been noticed above, and has no end to be searched to.
  if (!isRecord(input) || (!broken && hasEmptyKey(input))) sink.fact('call-input-malformed');
}

/** Keys without a name are refused, however deep they are. */
function hasEmptyKey(value: object): boolean {
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (key === '') return true;
    const child = (value as Wire)[key];
    if (typeof child === 'object' && child !== null && hasEmptyKey(child)) return true;
  }
  return false;
}

function scanResult(part: Wire, role: Role, sink: Sink): void {
  const result = part['toolResult'] as Wire;
  const id = idOf(result['toolUseId']);
  const server = isServerResult(result, role);
  const { content, status } = result;
  sink.part('result', id, server);
  if (server) return sink.deep ? scanServerResult(part, content, sink) : undefined;
  if (role !== 'user') sink.fact('part-in-wrong-role', 'user');
  if (id !== undefined && isPlaceholder(onlyText(content))) sink.fact('placeholder', id);
  if (!sink.deep) return;
  if (id !== undefined && id !== result['toolUseId']) sink.fact('call-id-malformed');
  sink.total += resultCharacters(content);
  checkValue(part, sink);
  if (status !== undefined && status !== null && sink.profile.resultStatus === false) {
    sink.fact('result-status-refused');
  }
  if (!Array.isArray(content) || isRefusedContent(content, status === 'error', sink)) {
    sink.fact('result-content-refused');
  }
}

function scanServerResult(part: Wire, content: unknown, sink: Sink): void {
  sink.total += resultCharacters(content);
  checkValue(part, sink);
}

/** The text of a result that is one text and nothing else. */
function onlyText(content: unknown): string {
  const only: unknown = Array.isArray(content) && content.length === 1 ? content[0] : undefined;
  const text = isRecord(only) ? only['text'] : undefined;
  return typeof text === 'string' ? text : '';
}

function isRefusedContent(content: readonly unknown[], failed: boolean, sink: Sink): boolean {
  if (failed && content.length === 0) return true;
  for (let i = 0; i < content.length; i += 1) if (isRefusedPiece(content[i], failed, sink)) return true;
  return false;
}

function isRefusedPiece(piece: unknown, failed: boolean, sink: Sink): boolean {
  if (!isRecord(piece)) return true;
  const json = piece['json'] !== undefined && piece['json'] !== null && !hasText(piece);
  const member = json ? 'json' : memberOf(piece);
  if (member === undefined || REFUSED_IN_RESULTS.has(member)) return true;
  if (member === 'text') return isRefusedText(String(piece['text']), sink);
  return failed && member !== 'json' && sink.profile.reasoningSigned !== false;
}

function hasText(piece: Wire): boolean {
  return piece['text'] !== undefined && piece['text'] !== null;
}

function scanReasoning(part: Wire, role: Role, sink: Sink): void {
  const reasoning = part['reasoningContent'] as Wire;
  sink.part('reasoning', undefined, false);
  if (role !== 'assistant') sink.fact('part-in-wrong-role', 'assistant');
  if (!sink.deep) return;
  if (!isSealed(reasoning)) sink.fact('reasoning-unsigned');
  sink.total += charactersOf(thoughtOf(reasoning));
  checkValue(part, sink);
}
