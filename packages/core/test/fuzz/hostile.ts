import type { Dialect } from '../../src/index.ts';
import { isFields, type Fields } from './draft.ts';
import type { Random } from './random.ts';
import { listKeyOf } from './reading.ts';

const list = (names: string): string[] => names.split(' ');

const words = [
  '',
  ' ',
  '\ud800',
  ...list('a text user assistant tool tool_use tool_result thinking request __proto__'),
];
const keys = list(
  'role content type text id tool_use_id tool_calls tool_call_id kind parts part_kind __proto__ constructor x',
);

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

/** What a field may hold: one of these values, or what a function makes. */
type Values = readonly unknown[] | ((random: Random) => unknown);
/** The fields that an object may have, each with how often, in twelfths. */
type Shape = Readonly<Record<string, readonly [twelfths: number, values: Values]>>;

const valueOf = (values: Values, random: Random): unknown =>
  typeof values === 'function' ? values(random) : structuredClone(random.pick(values));

function filled(shape: Shape, random: Random): Fields {
  const object: Fields = {};
  for (const [key, [twelfths, values]] of Object.entries(shape))
    if (random.below(12) < twelfths) object[key] = valueOf(values, random);
  return object;
}

/** So many of the same at most, now and then something else in the place of one. */
const several =
  (most: number, make: (random: Random) => unknown, other: Values = (random) => randomJson(random, 2)) =>
  (random: Random): unknown[] =>
    Array.from({ length: random.below(most + 1) }, () => (random.chance(12) ? valueOf(other, random) : make(random)));

const ids = ['a', 'b', 'a.b', 'srvtoolu_1', ''];
const said = ['said', 'more', '', ' ', 'x\udc00'];
const texts = [...said, null, 7, {}, undefined];
const names = ['f', 'f', '', 7];
const json = (random: Random): unknown => (random.chance(4) ? randomJson(random, 1) : { a: 1 });

/** A part whose kind is under a key of its own, with fields of any kind. */
const parts = (typeKey: string, kinds: string): Values =>
  several(3, (random) =>
    filled(
      {
        [typeKey]: [12, list(kinds)],
        ...Object.fromEntries(list('id tool_use_id tool_call_id').map((key) => [key, [6, ids]])),
        ...Object.fromEntries(
          list('text content thinking signature data name tool_name refusal').map((key) => [key, [4, said]]),
        ),
        input: [3, json],
        args: [3, json],
      },
      random,
    ),
  );

const withText =
  (made: Values): Values =>
  (random) =>
    random.chance(4) ? random.pick(['said', '', ' ']) : valueOf(made, random);

const chatCall = (random: Random): unknown => ({
  id: random.pick(ids),
  type: 'function',
  function: { name: random.pick(['f', '', 'a b']), arguments: random.pick<unknown>(['{}', '{"a', {}]) },
});
const chat = (roles: string, kinds: string): Shape => ({
  role: [12, list(roles)],
  content: [12, withText(parts('type', kinds))],
  prefix: [2, [true]],
  tool_call_id: [6, ids],
  tool_calls: [4, several(2, chatCall)],
});

/** A block of the Converse API: one key that says what it is, mostly with something under it. */
function converseBlock(random: Random): unknown {
  const key = random.pick(list('text toolUse toolResult reasoningContent image cachePoint guardContent future'));
  if (key === 'text' || random.chance(10)) return { [key]: random.pick(said) };
  const inner: Shape = {
    toolUseId: [6, ids],
    name: [6, ['f', '', 'a b']],
    input: [6, json],
    content: [6, [[{ text: 'said' }], [], 'said', [{ text: '' }], [{ x: 1 }]]],
    status: [4, ['error', 'success']],
    reasoningText: [4, [{ text: 'why', signature: 's' }, { text: 'why' }]],
    type: [1, ['server_tool_use', 'nova_code_interpreter_result']],
  };
  return { [key]: filled(inner, random) };
}

const geminiInner: Shape = {
  id: [6, ['a', 'b', '#f', '', 7]],
  name: [10, ['f', 'f', 'g', '', 7]],
  args: [6, [{ a: 1 }, {}, '{"a', null, [1]]],
  response: [9, [{ result: 'said' }, {}, 'said', null, { error: 'no' }]],
};

/** A part as another format has it, with or without anything in it. */
function foreignPart(random: Random): Fields {
  const inner = random.pick<Fields>([{}, { content: 'said' }, { thinking: 'said' }, { id: 'a', name: 'f', input: {} }]);
  if (random.chance(4)) return { [random.pick(list('toolUse toolResult reasoningContent'))]: inner };
  const kinds = [...list('text thinking tool_use tool-call tool_result step-start image'), ''];
  return { [random.pick(list('type part_kind partKind'))]: random.pick(kinds), ...inner };
}

/** A part of the Gemini API: mostly one kind of data, sometimes none or two, and sometimes that of another API. */
function geminiPart(random: Random): unknown {
  const part: Fields = random.chance(16) ? foreignPart(random) : {};
  for (let count = random.pick([0, 1, 1, 1, 1, 1, 1, 2]); count > 0; count -= 1) {
    const key = random.pick(list('text functionCall functionResponse function_call inlineData toolCall hologram'));
    part[key] =
      key === 'text'
        ? random.pick(said)
        : random.chance(10)
          ? random.pick<unknown>(['read', 7, [], null])
          : filled(geminiInner, random);
  }
  return {
    ...part,
    ...filled({ thoughtSignature: [3, ['c2ln', '', 'not base64!', 7]], thought: [1, [true]] }, random),
  };
}

const places = ['data:,', 'file-1', { id: 'file_1' }, {}, 7];
const pieces = (kinds: string): Values => {
  const piece: Shape = {
    type: [12, [...list(kinds), 7]],
    text: [9, texts],
    refusal: [3, texts],
    ...Object.fromEntries(list('image file image_url file_id fileId').map((key) => [key, [1, places]])),
  };
  const make = several(2, (random) => filled(piece, random), ['said', null, 7, []]);
  return (random) => (random.chance(3) ? random.pick<unknown>(texts) : make(random));
};
const callIds = ['a', 'a', 'b', 'b', '', null, 7, 'x'.repeat(65), undefined];

/** An item with fields that may or may not belong to it. */
const item = (types: string, content: Values): Shape => ({
  type: [12, [...list(types), undefined]],
  role: [3, ['user', 'assistant', 'system', 'developer', 'tool', null]],
  id: [4, ['msg_1', 'fc_1', 'rs_1', 'rs_2', 'ws_1', 'FAKE_ID', 'a b', '', null, 7]],
  content: [9, content],
  name: [10, names],
  arguments: [10, ['{}', '{}', '{"a', {}, null]],
  input: [6, ['ls', 'ls', {}, null]],
  summary: [6, [[], [], [{ type: 'summary_text', text: 'why' }], null, 'why']],
  encrypted_content: [4, ['g', '', null, 7]],
  execution: [4, ['client', 'server']],
  fingerprint: [4, ['f', 7]],
  phase: [1, ['commentary', 'x', null]],
});
const agentPieces = pieces('input_text output_text refusal input_image input_file audio text image');
const responsePieces = pieces('input_text output_text refusal input_image text hologram');
const roles = 'user assistant user assistant system tool';

/** Messages in the words of a dialect, with no sense in them. */
const SHAPES: Partial<Readonly<Record<Dialect, Shape>>> = {
  'anthropic-messages': {
    role: [12, list(roles)],
    content: [
      12,
      withText(
        parts(
          'type',
          'text tool_use tool_result thinking redacted_thinking server_tool_use web_search_tool_result image future',
        ),
      ),
    ],
  },
  'openai-chat': chat(
    'user assistant tool system developer function',
    'text refusal image_url input_audio file future',
  ),
  'mistral-chat': chat(
    'user assistant tool system developer',
    'text thinking image_url input_audio document_url future',
  ),
  'pydantic-ai': {
    kind: [12, ['request', 'response']],
    parts: [
      12,
      parts(
        'part_kind',
        'text user-prompt system-prompt tool-call tool-return retry-prompt thinking builtin-tool-call builtin-tool-return future',
      ),
    ],
  },
  'bedrock-converse': {
    role: [12, list(roles)],
    content: [12, (random) => (random.chance(10) ? 'said' : several(3, converseBlock)(random))],
  },
  gemini: {
    role: [12, [...list('user model user model user model system function'), undefined]],
    parts: [
      12,
      (random) =>
        random.chance(12) ? random.pick<unknown>(['said', null, geminiPart(random)]) : several(3, geminiPart)(random),
    ],
  },
  'openai-responses': {
    ...item(
      'message message function_call function_call function_call_output function_call_output custom_tool_call custom_tool_call_output reasoning reasoning item_reference web_search_call tool_search_call tool_search_output shell_call shell_call_output computer_call compaction compaction_trigger program hologram',
      responsePieces,
    ),
    call_id: [9, callIds],
    output: [9, responsePieces],
  },
  'openai-agents': {
    ...item(
      'message message function_call function_call function_call_result function_call_result shell_call shell_call_output apply_patch_call apply_patch_call_output computer_call computer_call_result tool_search_call tool_search_output reasoning reasoning hosted_tool_call compaction program program_output unknown function_call_output hologram',
      agentPieces,
    ),
    callId: [8, callIds],
    call_id: [2, callIds],
    output: [9, (random) => (random.chance(3) ? { type: 'text', text: 'out' } : valueOf(agentPieces, random))],
    action: [4, [{ commands: ['ls'] }, { type: 'screenshot' }, {}, null]],
    operation: [4, [{ type: 'delete_file', path: 'a' }, 7]],
    tools: [4, [[], 'none']],
    providerData: [4, [{ type: 'web_search' }, { type: 'mcp_approval_response' }, { type: 'x' }, {}, null]],
  },
};

function randomMessage(dialect: Dialect, random: Random): unknown {
  const shape = SHAPES[dialect];
  return shape === undefined || random.chance(20) ? randomJson(random, 3) : filled(shape, random);
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
