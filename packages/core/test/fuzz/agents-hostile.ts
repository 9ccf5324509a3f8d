import type { Fields } from './draft.ts';
import type { Random } from './random.ts';

const types: readonly unknown[] = [
  'message',
  'message',
  'function_call',
  'function_call',
  'function_call_result',
  'function_call_result',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'computer_call',
  'computer_call_result',
  'tool_search_call',
  'tool_search_output',
  'reasoning',
  'reasoning',
  'hosted_tool_call',
  'compaction',
  'program',
  'program_output',
  'unknown',
  'function_call_output',
  'hologram',
  undefined,
];
const callIds: readonly unknown[] = ['a', 'a', 'b', 'b', '', null, 7, 'x'.repeat(65), undefined];
const itemIds: readonly unknown[] = ['msg_1', 'fc_1', 'rs_1', 'rs_2', 'FAKE_ID', 'a b', '', null, 7];
const texts: readonly unknown[] = ['said', 'more', '', ' ', 'x\udc00', null, 7, {}, undefined];
const pieceTypes = ['input_text', 'output_text', 'refusal', 'input_image', 'input_file', 'audio', 'text', 'image', 7];
const places: readonly unknown[] = ['data:,', 'file-1', { id: 'file_1' }, {}, 7];
const data: readonly unknown[] = [{ type: 'web_search' }, { type: 'mcp_approval_response' }, { type: 'x' }, {}, null];

function randomPiece(random: Random): unknown {
  if (random.chance(12)) return random.pick<unknown>(['said', null, 7, []]);
  const piece: Fields = { type: random.pick<unknown>(pieceTypes) };
  if (!random.chance(4)) piece['text'] = random.pick(texts);
  if (random.chance(4)) piece['refusal'] = random.pick(texts);
  if (random.chance(3)) piece[random.pick(['image', 'file', 'image_url', 'file_id', 'fileId'])] = random.pick(places);
  return piece;
}

const randomPieces = (random: Random): unknown =>
  random.chance(3) ? random.pick(texts) : Array.from({ length: random.below(3) }, () => randomPiece(random));

/** An item of the OpenAI Agents SDK with fields that may or may not belong to it. */
export function randomAgentItem(random: Random): unknown {
  const item: Fields = { type: random.pick(types) };
  if (item['type'] === 'message' || item['type'] === undefined)
    item['role'] = random.pick<unknown>(['user', 'assistant', 'system', 'developer', 'tool', null]);
  if (!random.chance(4)) item[random.chance(6) ? 'call_id' : 'callId'] = random.pick(callIds);
  if (random.chance(3)) item['id'] = random.pick(itemIds);
  if (!random.chance(4)) item['content'] = randomPieces(random);
  if (!random.chance(4)) item['output'] = random.chance(3) ? { type: 'text', text: 'out' } : randomPieces(random);
  if (!random.chance(5)) item['name'] = random.pick<unknown>(['f', 'f', 'mcp_call', '', 7]);
  if (!random.chance(5)) item['arguments'] = random.pick<unknown>(['{}', '{}', '{"a', {}, null]);
  if (!random.chance(3))
    item['action'] = random.pick<unknown>([{ commands: ['ls'] }, { type: 'screenshot' }, {}, null]);
  if (random.chance(3)) item['operation'] = random.pick<unknown>([{ type: 'delete_file', path: 'a' }, 7]);
  if (random.chance(3)) item['tools'] = random.pick<unknown>([[], 'none']);
  if (random.chance(3)) item['summary'] = random.pick<unknown>([[{ type: 'summary_text', text: 'why' }], 'why']);
  if (random.chance(4)) item['encrypted_content'] = random.pick<unknown>(['g', 7]);
  if (random.chance(3)) item['execution'] = random.pick(['client', 'server']);
  if (random.chance(3)) item['fingerprint'] = random.pick<unknown>(['f', 7]);
  if (random.chance(3)) item['providerData'] = random.pick(data);
  if (random.chance(8)) item['phase'] = random.pick<unknown>(['commentary', 'x', null]);
  return item;
}
