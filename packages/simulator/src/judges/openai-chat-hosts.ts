import { type Docket, isObject, type JsonObject, type Matter } from './docket.ts';
import type { ChatRow } from './openai-chat-rows.ts';

/** What a provider, a server or a template behind the chat dialect asks beyond it, or does not ask. */
export interface ChatHost {
  /** Ids of any length and any number of tools. */
  readonly free: boolean;
  readonly objectArguments: boolean;
  readonly knownKeysOnly: boolean;
  /** Everybody but the user sends one text. */
  readonly plain: boolean;
  readonly reasoning: 'back' | 'never' | 'free';
  readonly alternates: 'no' | 'neighbours' | 'strictly';
  readonly system: 'any' | 'one' | 'none';
  readonly emptyAnswers: boolean;
  readonly contentNeeded: boolean;
  readonly mayEndInAnswer: boolean;
}

const OPENAI: ChatHost = {
  free: false,
  objectArguments: false,
  knownKeysOnly: false,
  plain: false,
  reasoning: 'free',
  alternates: 'no',
  system: 'any',
  emptyAnswers: true,
  contentNeeded: false,
  mayEndInAnswer: true,
};
const COMPATIBLE: ChatHost = { ...OPENAI, free: true };
const TURNS: ChatHost = { ...COMPATIBLE, plain: true, alternates: 'strictly', system: 'none', mayEndInAnswer: false };

/** By the name of the server where one stands in front, else by the name of the model. */
export function chatHost(model: string | undefined): ChatHost {
  if (model === undefined) return OPENAI;
  const [server = '', ...rest] = model.toLowerCase().split('/');
  const name = rest.at(-1) ?? server;
  if (rest.length > 0) {
    if (server === 'groq') return { ...COMPATIBLE, knownKeysOnly: true, plain: true };
    if (server === 'openrouter') return COMPATIBLE;
    if (server === 'template') return { ...COMPATIBLE, objectArguments: true, system: 'one', mayEndInAnswer: false };
    if (server === 'llama.cpp' || server === 'llamacpp') return { ...COMPATIBLE, mayEndInAnswer: false };
  }
  const known = modelHost(name);
  if (known !== undefined) return known;
  return rest.length > 0 && server !== 'openai' && !name.startsWith('o1-') ? COMPATIBLE : OPENAI;
}

function modelHost(name: string): ChatHost | undefined {
  if (name.startsWith('deepseek-r1') && !name.startsWith('deepseek-r1-distill')) {
    return { ...COMPATIBLE, reasoning: 'never', alternates: 'neighbours' };
  }
  if (/^deepseek-(?:reasoner|v[4-9])/.test(name)) return { ...COMPATIBLE, reasoning: 'back' };
  if (name.startsWith('kimi') || name.startsWith('moonshot')) return { ...COMPATIBLE, emptyAnswers: false };
  if (name.startsWith('grok-')) return { ...COMPATIBLE, contentNeeded: true };
  if (/^qwen-?3\.[56]/.test(name)) return { ...COMPATIBLE, system: 'one' };
  if (/^gemma(?:[-:]?[12](?!\d)|[-:]\d+b|$)/.test(name) || name.startsWith('mistral-7b-instruct-v0.1')) return TURNS;
  return /^llama-?2(?!\d)/.test(name) ? { ...TURNS, system: 'one' } : undefined;
}

/** The predecessor of the tool's role is read as the user's. */
const speaker = (role: unknown): unknown => (role === 'function' ? 'user' : role);

const SYSTEM: ReadonlySet<unknown> = new Set(['system', 'developer']);
const KEYS: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  function: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'tool_calls', 'function_call', 'reasoning'],
  tool: ['role', 'content', 'name', 'tool_call_id'],
};

/** Judges what the one who serves the model asks beyond the dialect. */
export function judgeChatHost(matter: Matter, host: ChatHost, docket: Docket<ChatRow>): void {
  if (host === OPENAI) return;
  const { list, purpose } = matter;
  for (let i = 0; i < list.length; i++) {
    const message = list[i];
    if (isObject(message)) judgeMessage({ i, message, before: list[i - 1] }, { matter, host, docket });
  }
  if (host.alternates === 'strictly') judgeTurns(matter, docket);
  const last = list.at(-1);
  if (purpose === 'request' && !host.mayEndInAnswer && isObject(last) && last.role === 'assistant') {
    const text = 'Cannot have 2 or more assistant messages at the end of the list.';
    docket.refuse('lc-two-assistants', `/${list.length - 1}`, text);
  }
}

interface Place {
  readonly i: number;
  readonly message: JsonObject;
  readonly before: unknown;
}
interface Bench {
  readonly matter: Matter;
  readonly host: ChatHost;
  readonly docket: Docket<ChatRow>;
}

function judgeMessage(place: Place, bench: Bench): void {
  const { i, message, before } = place;
  const { host, docket } = bench;
  const { role, content } = message;
  const first = `'messages.${i}' : for 'role:${String(role)}' the following must be satisfied`;
  const strange = host.knownKeysOnly
    ? Object.keys(message).find((key) => message[key] !== undefined && KEYS[String(role)]?.includes(key) === false)
    : undefined;
  if (strange !== undefined)
    docket.refuse('gq-strict', `/${i}`, `${first}[('messages.${i}' : property '${strange}' is unsupported)]`);
  if (host.plain && role !== 'user' && role !== 'function' && Array.isArray(content))
    docket.refuse('gq-strict', `/${i}`, `${first}[('messages.${i}.content' : value must be a string)]`);
  const silent = content === undefined || content === null || (Array.isArray(content) && content.length === 0);
  if (host.contentNeeded && silent)
    docket.refuse(
      'xa-content',
      `/${i}`,
      'Invalid request content: Each message must have at least one content element.',
    );
  if (SYSTEM.has(role)) judgeSystem(place, bench);
  if (role === 'assistant') judgeAnswer(place, bench);
  const spoken = speaker(role);
  const same = isObject(before) && speaker(before.role) === spoken && (spoken === 'user' || spoken === 'assistant');
  if (host.alternates === 'neighbours' && same) {
    const where = `messages[${i - 1}] and messages[${i}] in your input`;
    const text =
      `deepseek-reasoner does not support successive user or assistant messages (${where}). You should interleave ` +
      'the user/assistant messages in the message sequence.';
    docket.refuse('ds-alternate', `/${i}`, text);
  }
}

function judgeSystem({ i }: Place, { host, docket }: Bench): void {
  if (host.system === 'none') docket.refuse('tpl-system-none', `/${i}`, 'System role not supported');
  if (host.system === 'one' && i > 0) docket.refuse('tpl-system', `/${i}`, 'System message must be at the beginning.');
}

function judgeAnswer({ i, message }: Place, { matter, host, docket }: Bench): void {
  const { reasoning_content: reasoning, content, tool_calls: calls } = message;
  if (host.reasoning === 'never' && reasoning !== undefined && reasoning !== null)
    docket.refuse('ds-reason-forbid', `/${i}`, 'reasoning_content must not be sent');
  if (host.reasoning === 'back' && typeof reasoning !== 'string' && thinksWithTools(matter)) {
    const text = 'The `reasoning_content` in the thinking mode must be passed back to the API.';
    docket.refuse('ds-reason-back', `/${i}`, text);
  }
  const calling = Array.isArray(calls) && calls.length > 0;
  const speaks = typeof message.refusal === 'string' || isObject(message.function_call) || isObject(message.audio);
  if (!host.emptyAnswers && content === '' && !calling && !speaks)
    docket.refuse('ms-empty', `/${i}`, `the message at position ${i} with role 'assistant' must not be empty`);
}

/** A history does not say whether tools will be declared, so it is read as if they were. */
function thinksWithTools({ body, purpose }: Matter): boolean {
  if (purpose === 'history' || body === undefined) return true;
  const off = isObject(body.thinking) && body.thinking.type === 'disabled';
  return Array.isArray(body.tools) && body.tools.length > 0 && !off;
}

/** A template that knows the user and the assistant alone, one after the other, the user first. */
function judgeTurns({ list }: Matter, docket: Docket<ChatRow>): void {
  const text = 'Conversation roles must alternate user/assistant/user/assistant/...';
  let turn = 0;
  for (const [i, message] of list.entries()) {
    const role = isObject(message) ? message.role : undefined;
    if (SYSTEM.has(role)) continue;
    const spoken = speaker(role);
    const calling = isObject(message) && Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
    if (spoken !== (turn % 2 === 0 ? 'user' : 'assistant') || (role === 'assistant' && calling)) {
      docket.refuse('tpl-alternate', `/${i}`, text);
      return;
    }
    turn++;
  }
}
