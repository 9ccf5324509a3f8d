import type { Dialect } from '../../src/index.ts';
import { isFields, type Fields } from './draft.ts';
import { randomContent } from './gemini-hostile.ts';
import type { Random } from './random.ts';
import { listKeyOf } from './reading.ts';
import { randomAgentItem } from './agents-hostile.ts';
import { randomItem } from './responses-hostile.ts';

const words = [
  '',
  ' ',
  'a',
  'text',
  'user',
  'assistant',
  'tool',
  'tool_use',
  'tool_result',
  'thinking',
  'request',
  '\ud800',
  '__proto__',
];
const keys = [
  'role',
  'content',
  'type',
  'text',
  'id',
  'tool_use_id',
  'tool_calls',
  'tool_call_id',
  'kind',
  'parts',
  'part_kind',
  '__proto__',
  'constructor',
  'x',
];

/** Any JSON value, leaning towards the words that histories are made of. */
export function randomJson(random: Random, depth = 4): unknown {
  const kind = random.below(depth > 0 ? 9 : 6);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(2);
  if (kind === 2) return random.pick([0, -1, 1.5, 1e300]);
  if (kind < 6) return random.pick(words);
  if (kind === 6) return Array.from({ length: random.below(4) }, () => randomJson(random, depth - 1));
  const object: Fields = {};
  for (let count = random.below(5); count > 0; count -= 1)
    setOwn(object, random.pick(keys), randomJson(random, depth - 1));
  return object;
}

/** Sets a key as JSON.parse would: a key named __proto__ becomes an ordinary own key. */
export function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

const vocabulary: Readonly<
  Record<string, { roles: string[]; roleKey: string; partKey: string; kinds: string[]; typeKey: string }>
> = {
  'anthropic-messages': {
    roles: ['user', 'assistant', 'user', 'assistant', 'system', 'tool'],
    roleKey: 'role',
    partKey: 'content',
    kinds: [
      'text',
      'tool_use',
      'tool_result',
      'thinking',
      'redacted_thinking',
      'server_tool_use',
      'web_search_tool_result',
      'image',
      'future',
    ],
    typeKey: 'type',
  },
  'openai-chat': {
    roles: ['user', 'assistant', 'tool', 'system', 'developer', 'function'],
    roleKey: 'role',
    partKey: 'content',
    kinds: ['text', 'refusal', 'image_url', 'input_audio', 'file', 'future'],
    typeKey: 'type',
  },
  'mistral-chat': {
    roles: ['user', 'assistant', 'tool', 'system', 'developer'],
    roleKey: 'role',
    partKey: 'content',
    kinds: ['text', 'thinking', 'image_url', 'input_audio', 'document_url', 'future'],
    typeKey: 'type',
  },
  'pydantic-ai': {
    roles: ['request', 'response'],
    roleKey: 'kind',
    partKey: 'parts',
    kinds: [
      'text',
      'user-prompt',
      'system-prompt',
      'tool-call',
      'tool-return',
      'retry-prompt',
      'thinking',
      'builtin-tool-call',
      'builtin-tool-return',
      'future',
    ],
    typeKey: 'part_kind',
  },
};

const ids = ['a', 'b', 'a.b', 'srvtoolu_1', ''];
const idKeys = ['id', 'tool_use_id', 'tool_call_id'];
const textKeys = ['text', 'content', 'thinking', 'signature', 'data', 'name', 'tool_name', 'refusal'];

function randomPart(random: Random, typeKey: string, kinds: readonly string[]): unknown {
  if (random.chance(12)) return randomJson(random, 2);
  const part: Fields = { [typeKey]: random.pick(kinds) };
  for (const key of idKeys) if (random.chance(2)) part[key] = random.pick(ids);
  for (const key of textKeys) if (random.chance(3)) part[key] = random.pick(['said', 'more', '', ' ', 'x\udc00']);
  if (random.chance(2)) part[random.pick(['input', 'args'])] = random.chance(4) ? randomJson(random, 1) : { a: 1 };
  return part;
}

const converseKeys = [
  'text',
  'toolUse',
  'toolResult',
  'reasoningContent',
  'image',
  'cachePoint',
  'guardContent',
  'future',
];

/** A block of the Converse API: one key that says what it is, mostly with something under it. */
function randomBlock(random: Random): unknown {
  if (random.chance(12)) return randomJson(random, 2);
  const key = random.pick(converseKeys);
  if (key === 'text' || random.chance(10)) return { [key]: random.pick(['said', 'more', '', ' ', 'x\udc00']) };
  const inner: Fields = {};
  if (random.chance(2)) inner['toolUseId'] = random.pick(ids);
  if (random.chance(2)) inner['name'] = random.pick(['f', '', 'a b']);
  if (random.chance(2)) inner['input'] = random.chance(4) ? randomJson(random, 1) : { a: 1 };
  if (random.chance(2))
    inner['content'] = random.pick<unknown>([[{ text: 'said' }], [], 'said', [{ text: '' }], [{ x: 1 }]]);
  if (random.chance(3)) inner['status'] = random.pick(['error', 'success']);
  if (random.chance(3))
    inner['reasoningText'] = random.pick<unknown>([{ text: 'why', signature: 's' }, { text: 'why' }]);
  if (random.chance(8)) inner['type'] = random.pick(['server_tool_use', 'nova_code_interpreter_result']);
  return { [key]: inner };
}

function randomMessage(dialect: Dialect, random: Random): unknown {
  if (dialect === 'bedrock-converse' && !random.chance(20)) {
    const content = random.chance(10) ? 'said' : Array.from({ length: random.below(4) }, () => randomBlock(random));
    return { role: random.pick(['user', 'assistant', 'user', 'assistant', 'system', 'tool']), content };
  }
  if (dialect === 'gemini' && !random.chance(20)) return randomContent(random);
  if (dialect === 'openai-responses' && !random.chance(20)) return randomItem(random);
  if (dialect === 'openai-agents' && !random.chance(20)) return randomAgentItem(random);
  const words = vocabulary[dialect];
  if (!words || random.chance(20)) return randomJson(random, 3);
  const message: Fields = { [words.roleKey]: random.pick(words.roles) };
  const parts = Array.from({ length: random.below(4) }, () => randomPart(random, words.typeKey, words.kinds));
  message[words.partKey] = random.chance(4) && words.partKey === 'content' ? random.pick(['said', '', ' ']) : parts;
  if (dialect === 'openai-chat' || dialect === 'mistral-chat') {
    if (random.chance(6)) message['prefix'] = true;
    if (random.chance(2)) message['tool_call_id'] = random.pick(ids);
    if (random.chance(3)) {
      message['tool_calls'] = Array.from({ length: random.below(3) }, () => ({
        id: random.pick(ids),
        type: 'function',
        function: { name: random.pick(['f', '', 'a b']), arguments: random.pick<unknown>(['{}', '{"a', {}]) },
      }));
    }
  }
  return message;
}

/** A list in the words of a dialect with no sense in it, or no list at all. */
export function randomHistory(dialect: Dialect, random: Random): unknown {
  if (random.chance(8)) return randomJson(random);
  const messages = Array.from({ length: random.below(7) }, () => randomMessage(dialect, random));
  if (!random.chance(4)) return messages;
  return { [listKeyOf(dialect)]: messages, tools: random.chance(2) ? [] : [{ name: 'f', input_schema: {} }] };
}

interface Node {
  readonly holder: object;
  readonly key: string | number;
}

function nodesOf(value: unknown, into: Node[] = []): Node[] {
  if (Array.isArray(value)) {
    for (const [key, child] of value.entries()) {
      into.push({ holder: value, key });
      nodesOf(child, into);
    }
  } else if (isFields(value)) {
    for (const key of Object.keys(value)) {
      into.push({ holder: value, key });
      nodesOf(value[key], into);
    }
  }
  return into;
}

const read = ({ holder, key }: Node): unknown => (holder as Fields)[key];
const write = ({ holder, key }: Node, value: unknown): void => setOwn(holder, String(key), value);

/** A copy with one random node deleted, doubled, swapped with another, or turned into something else. */
export function mutate(value: unknown, random: Random): unknown {
  const copy: unknown = structuredClone(value);
  const nodes = nodesOf(copy);
  if (nodes.length === 0) return copy;
  const node = random.pick(nodes);
  const way = random.below(4);
  if (way === 0) {
    if (Array.isArray(node.holder)) node.holder.splice(Number(node.key), 1);
    else delete (node.holder as Fields)[node.key];
  } else if (way === 1) {
    if (Array.isArray(node.holder)) node.holder.splice(Number(node.key), 0, structuredClone(read(node)));
    else setOwn(node.holder, `${String(node.key)}_copy`, structuredClone(read(node)));
  } else if (way === 2) {
    const other = random.pick(nodes);
    const [mine, theirs] = [structuredClone(read(node)), structuredClone(read(other))];
    write(node, theirs);
    write(other, mine);
  } else write(node, randomJson(random, 2));
  return copy;
}
