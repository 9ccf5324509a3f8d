import type { Fields } from './draft.ts';
import type { Random } from './random.ts';

const data = ['text', 'functionCall', 'functionResponse', 'function_call', 'inlineData', 'toolCall', 'hologram'];
const said: readonly unknown[] = ['said', 'more', '', ' ', 'x\udc00'];

function randomInner(random: Random): unknown {
  if (random.chance(10)) return random.pick<unknown>(['read', 7, [], null]);
  const inner: Fields = {};
  if (random.chance(2)) inner['id'] = random.pick<unknown>(['a', 'b', '#f', '', 7]);
  if (!random.chance(6)) inner['name'] = random.pick<unknown>(['f', 'f', 'g', '', 7]);
  if (random.chance(2)) inner['args'] = random.pick<unknown>([{ a: 1 }, {}, '{"a', null, [1]]);
  if (!random.chance(4))
    inner['response'] = random.pick<unknown>([{ result: 'said' }, {}, 'said', null, { error: 'no' }]);
  return inner;
}

const foreign = ['text', 'thinking', 'tool_use', 'tool-call', 'tool_result', 'step-start', 'image', ''];

/** A part as another format has it, with or without anything in it. */
function randomForeignPart(random: Random): Fields {
  const said = random.pick<Fields>([{}, { content: 'said' }, { thinking: 'said' }, { id: 'a', name: 'f', input: {} }]);
  if (random.chance(4)) return { [random.pick(['toolUse', 'toolResult', 'reasoningContent'])]: said };
  return { [random.pick(['type', 'part_kind', 'partKind'])]: random.pick(foreign), ...said };
}

/** A part of the Gemini API: mostly one kind of data, sometimes none or two, and sometimes that of another API. */
export function randomContentPart(random: Random): unknown {
  const part: Fields = random.chance(16) ? randomForeignPart(random) : {};
  for (let count = random.pick([0, 1, 1, 1, 1, 1, 1, 2]); count > 0; count -= 1) {
    const key = random.pick(data);
    part[key] = key === 'text' ? random.pick(said) : randomInner(random);
  }
  if (random.chance(4)) part['thoughtSignature'] = random.pick<unknown>(['c2ln', '', 'not base64!', 7]);
  if (random.chance(8)) part['thought'] = true;
  return part;
}

export function randomContent(random: Random): unknown {
  const role = random.pick<unknown>([
    'user',
    'model',
    'user',
    'model',
    'user',
    'model',
    'system',
    'function',
    undefined,
  ]);
  const parts = Array.from({ length: random.below(4) }, () => randomContentPart(random));
  return { role, parts: random.chance(12) ? random.pick<unknown>([parts[0], 'said', null]) : parts };
}
