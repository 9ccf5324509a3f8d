import { idText, isLegalId, PLAIN_ID } from '../../model/call-id.ts';
import type { Codec, RequestFacts, Sink } from '../../model/codec.ts';
import type { Message, Role } from '../../model/part.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { charactersOf, isBlank, isRecord } from '../../model/value.ts';
import {
  callCharacters,
  callList,
  callName,
  echoesOf,
  isSoundInput,
  loneCall,
  NO_CALLS,
  type CallList,
} from './calls.ts';
import { fieldsOf, isObjectMessage, roleOf, storedBlocks, typeOf } from './form.ts';
import {
  contentCharacters,
  isContent,
  isMute,
  isPiece,
  mend,
  pieceCharacters,
  pieceKind,
  pieceText,
  pointer,
  read,
  resultCharacters,
  salvage,
  strangeCharacters,
  write,
} from './message.ts';
import { charactersElsewhere, holdsThought, saysElsewhere } from '../elsewhere.ts';
import { isPairOrThought, isResultPiece } from '../foreign-piece.ts';
import { strangerCharacters } from '../salvage.ts';
import { checkKeys } from '../scan-value.ts';
import { withForeign } from '../restore.ts';
import { retellMessage } from '../retell.ts';

type Wire = Record<string, unknown>;

const NOTHING_DECLARED: RequestFacts = {
  tools: undefined,
  toolCount: 0,
  serverTools: new Set(),
  reasoningRequired: false,
  reasoningOn: false,
  markers: 0,
};
/** What an object keeps for itself and never sends. */
const UNSENT: ReadonlySet<string> = new Set(['lc_kwargs', 'lc_namespace', 'artifact', 'metadata', 'response_metadata']);
const LONGEST_NAME = 128;
const NO_KEYS: ReadonlySet<string> = new Set();

/** Reads and writes LangChain messages: objects, what they are serialised to or stored as, and plain ones. */
export const langchain: Codec = withForeign({
  dialect: 'langchain',
  listKey: 'messages',
  results: 'tool',
  scan,
  request: () => NOTHING_DECLARED,
  read,
  write,
  retell: retellMessage,
  salvage,
  holdsAside,
  mend,
  pointer,
});

/** What an answer of another vendor has beside its words stands among what the framework has no field for. */
function holdsAside({ role, wire }: Pick<Message, 'role' | 'wire'>): boolean {
  return role === 'assistant' && isRecord(wire) && holdsThought(fieldsOf(wire)['additional_kwargs']);
}

function scan(wire: unknown, sink: Sink): void {
  const role = isRecord(wire) ? roleOf(wire) : undefined;
  if (!isRecord(wire) || role === undefined) return scanUnreadable(wire, sink);
  sink.message(role);
  const fields = fieldsOf(wire);
  const { content } = fields;
  if (storedBlocks(wire) !== undefined) {
    sink.fact('content-unreadable', 'elsewhere');
    sink.total += charactersElsewhere(fields, 'content');
    return;
  }
  if (!isContent(content, role) || isCallAside(fields, role, sink)) {
    sink.fact('content-unreadable');
    sink.total += contentCharacters(fields, role);
    return;
  }
  const calls = role === 'assistant' ? callList(fields) : NO_CALLS;
  if (
    isMute(content) &&
    !(content === '' && sink.profile.blankText === true) &&
    calls.entries.length === 0 &&
    role !== 'tool' &&
    saysElsewhere(fields, 'content')
  ) {
    sink.fact('content-unreadable', 'elsewhere');
    sink.total += charactersElsewhere(fields, 'content');
    return;
  }
  // Everything else in a message has to be something that can be sent.
  if (sink.deep) checkKeys(wire, isObjectMessage(wire) ? UNSENT : NO_KEYS, sink);
  if (role === 'tool') return scanResult(fields, sink);
  scanContent(content, role, { calls, sink });
  for (let i = 0; i < calls.entries.length; i += 1) scanCall(calls.entries[i], calls, sink);
}

function scanUnreadable(wire: unknown, sink: Sink): void {
  const type = isRecord(wire) ? typeOf(wire) : undefined;
  sink.message('unreadable');
  if (type !== undefined) sink.fact('role-foreign', type);
  else sink.fact('message-unreadable');
  sink.total += strangeCharacters(wire);
}

/** True for an answer that does nothing but call in a form which few converters read; the others take it for empty. */
function isCallAside(fields: Wire, role: Role, { profile }: Sink): boolean {
  if (role !== 'assistant' || (profile.blankText === true && fields['content'] === '')) return false;
  return loneCall(fields) !== undefined;
}

type Around = { readonly calls: CallList; readonly sink: Sink };

function scanContent(content: unknown, role: Role, { calls, sink }: Around): void {
  if (!Array.isArray(content)) return scanString(content, calls, sink);
  if (content.length === 0 && calls.entries.length === 0) sink.fact('empty-message');
  else if (sink.deep && isHollow(content, calls, sink)) sink.fact('content-hollow');
  const isEcho = echoesOf(calls);
  let calling = calls.entries.length > 0;
  for (let i = content.length - 1; i >= 0 && !calling; i -= 1) calling = pieceKind(content[i], role) === 'call';
  for (let i = 0; i < content.length; i += 1) {
    const piece: unknown = content[i];
    if (isEcho(piece)) continue;
    const kind = pieceKind(piece, role);
    if (kind === 'call') {
      scanCall(piece, NO_CALLS, sink);
      if (sink.deep && sink.profile.callsInContent !== true) sink.fact('call-unlisted');
      continue;
    }
    sink.part(kind, undefined, false);
    if (kind === 'opaque' && isForeign(piece, role)) sink.fact('content-unreadable', 'tool_calls');
    else if (!isPiece(piece)) sink.fact('part-unreadable');
    if (kind === 'reasoning' && i === content.length - 1 && !calling) sink.fact('reasoning-last');
    if (!isPiece(piece)) sink.total += strangerCharacters(piece);
    else if (sink.deep) sink.total += pieceCharacters(piece, role);
    if (sink.deep && kind === 'text' && sink.profile.blankText !== true && isBlank(pieceText(piece))) {
      sink.fact('blank-text');
    }
  }
}

/** The framework passes on what it does not know, but a result that it does not see leaves its call open. */
function isForeign(piece: unknown, role: Role): boolean {
  return isResultPiece(piece) ? role !== 'assistant' : role === 'assistant' && isPairOrThought(piece);
}

/** Converters that know calls from the list alone leave copies of them out, and one of them reasoning, too. */
function isHollow(content: readonly unknown[], calls: CallList, { profile }: Sink): boolean {
  if (profile.callsInContent === true) return false;
  const silent = profile.blankText === true && calls.entries.length > 0;
  const isEcho = echoesOf(calls);
  return content.every((piece) => isEcho(piece) || (silent && pieceKind(piece, 'assistant') === 'reasoning'));
}

/** Answers that call tools need say nothing. */
function scanString(content: unknown, { entries }: CallList, sink: Sink): void {
  const text = typeof content === 'string' ? content : '';
  if (text === '') {
    const accepted = content === '' && sink.profile.blankText === true;
    if (entries.length === 0 && !accepted) sink.fact('empty-message');
    // The framework reads no content as a list without a piece.
    else if (sink.deep && content !== '' && sink.profile.callsInContent !== true) sink.fact('content-hollow');
    return;
  }
  sink.part('text', undefined, false);
  if (!sink.deep) return;
  sink.total += text.length;
  if (sink.profile.blankText !== true && isBlank(text)) sink.fact('blank-text');
}

function scanCall(call: unknown, list: CallList, sink: Sink): void {
  const id = isRecord(call) ? call['id'] : undefined;
  sink.part('call', idText(id), false);
  if (!isRecord(call)) {
    sink.fact('part-unreadable');
    sink.total += charactersOf(call);
    return;
  }
  if (!sink.deep) return;
  sink.total += callCharacters(call);
  if (typeof id !== 'string' || !isLegalId(id, sink.profile)) sink.fact('call-id-malformed');
  const name = callName(call);
  if (typeof name !== 'string' || name.length > LONGEST_NAME || !PLAIN_ID.test(name)) sink.fact('call-name-malformed');
  if (!isSoundInput(call, list)) sink.fact('call-input-malformed');
}

function scanResult(fields: Wire, sink: Sink): void {
  const { tool_call_id: named, content } = fields;
  const id = idText(named);
  sink.part('result', id, false);
  if (id !== undefined && typeof content === 'string' && isPlaceholder(content)) sink.fact('placeholder', id);
  if (Array.isArray(content) && content.some(isResultPiece)) sink.fact('content-unreadable', 'tool_calls');
  if (!sink.deep) return;
  if (id !== undefined && id !== named) sink.fact('call-id-malformed');
  sink.total += resultCharacters(content);
}
