import type { Fields } from './draft.ts';
import type { Random } from './random.ts';

const types = [
  'message',
  'message',
  'function_call',
  'function_call',
  'function_call_output',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'reasoning',
  'reasoning',
  'item_reference',
  'web_search_call',
  'tool_search_call',
  'tool_search_output',
  'shell_call',
  'shell_call_output',
  'computer_call',
  'compaction',
  'compaction_trigger',
  'program',
  'hologram',
  undefined,
];
const callIds: readonly unknown[] = ['a', 'a', 'b', 'b', '', null, 7, 'x'.repeat(65), undefined];
const itemIds: readonly unknown[] = ['msg_1', 'fc_1', 'rs_1', 'rs_2', 'ws_1', 'a b', '', null, 7];
const texts: readonly unknown[] = ['said', 'more', '', ' ', 'x\udc00', null, 7, {}, undefined];
const pieceTypes = ['input_text', 'output_text', 'refusal', 'input_image', 'text', 'hologram', 7];

function randomPiece(random: Random): unknown {
  if (random.chance(12)) return random.pick<unknown>(['said', null, 7, []]);
  const piece: Fields = { type: random.pick<unknown>(pieceTypes) };
  if (!random.chance(4)) piece['text'] = random.pick(texts);
  if (random.chance(4)) piece['refusal'] = random.pick(texts);
  return piece;
}

const randomPieces = (random: Random): unknown =>
  random.chance(3) ? random.pick(texts) : Array.from({ length: random.below(3) }, () => randomPiece(random));

/** An entry of the Responses API with fields that may or may not belong to it. */
export function randomItem(random: Random): unknown {
  const item: Fields = { type: random.pick<unknown>(types) };
  if (item['type'] === 'message' || item['type'] === undefined)
    item['role'] = random.pick<unknown>(['user', 'assistant', 'system', 'developer', 'tool', null]);
  if (!random.chance(4)) item['call_id'] = random.pick(callIds);
  if (random.chance(3)) item['id'] = random.pick(itemIds);
  if (!random.chance(4)) item['content'] = randomPieces(random);
  if (!random.chance(4)) item['output'] = randomPieces(random);
  if (!random.chance(5)) item['name'] = random.pick<unknown>(['f', 'f', '', 7]);
  if (!random.chance(5)) item['arguments'] = random.pick<unknown>(['{}', '{}', '{"a', {}, null]);
  if (!random.chance(5)) item['input'] = random.pick<unknown>(['ls', 'ls', {}, null]);
  if (!random.chance(4))
    item['summary'] = random.pick<unknown>([[], [], [{ type: 'summary_text', text: 'why' }], null, 'why']);
  if (random.chance(2)) item['encrypted_content'] = random.pick<unknown>(['g', '', null, 7]);
  if (random.chance(3)) item['execution'] = random.pick(['client', 'server']);
  if (random.chance(3)) item['fingerprint'] = random.pick<unknown>(['f', 7]);
  if (random.chance(8)) item['phase'] = random.pick<unknown>(['commentary', 'x', null]);
  return item;
}
