import type { Hearing } from './anthropic-hearing.ts';
import { isLongerThan, isObject, isPlainName, type JsonObject } from './docket.ts';
import { escapeToken, jsonBytes } from './text-scan.ts';

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_NAME = 128;
const CHARACTERS_PER_TOKEN = 4;
/** What an image or a page costs at most, whatever the length of its data. */
const MEDIA_TOKENS = 1600;
/** What the model never reads as text. */
const UNREAD_KEYS: ReadonlySet<string> = new Set(
  'type role id tool_use_id signature data encrypted_content encrypted_index'.split(' '),
);
const BODY_KEYS: ReadonlySet<string> = new Set(
  (
    'model messages max_tokens system tools tool_choice thinking temperature top_p top_k stop_sequences stream ' +
    'metadata service_tier container context_management mcp_servers output_config output_format cache_control ' +
    'inference_geo speed diagnostics fallbacks fallback_credit_token compaction'
  ).split(' '),
);

/** Judges the fields beside the list: which there are, what tools are declared, and how long all of it is. */
export function judgeFields(hearing: Hearing, body: JsonObject): void {
  const { docket, matter, scan } = hearing;
  for (const key in body) {
    if (key === 'messages') continue;
    const value = body[key];
    const flaws = scan.field(key, value);
    for (const { row, pointer, text } of flaws) docket.refuseOutside(row, pointer, text);
    if (!matter.whole || BODY_KEYS.has(key) || value === undefined) continue;
    docket.refuseOutside('an-extra-keys', `/${escapeToken(key)}`, `${key}: Extra inputs are not permitted`);
  }
  if (matter.whole) {
    judgeRequired(hearing, body);
    if (Array.isArray(body.tools)) judgeTools(hearing, body.tools);
    else if (body.tools !== undefined && body.tools !== null)
      docket.refuseOutside('shape', '/tools', 'tools: Input should be a valid list');
  }
  judgeLength(hearing, body);
}

function judgeRequired({ docket }: Hearing, body: JsonObject): void {
  const { model, max_tokens: most } = body;
  if (typeof model !== 'string') {
    const fault = model === undefined ? 'Field required' : 'Input should be a valid string';
    docket.refuseOutside('shape', '/model', `model: ${fault}`);
  }
  let fault = '';
  if (most === undefined) fault = 'Field required';
  else if (typeof most !== 'number' || !Number.isInteger(most)) fault = 'Input should be a valid integer';
  else if (most < 1) fault = 'Input should be greater than or equal to 1';
  if (fault !== '') docket.refuseOutside('shape', '/max_tokens', `max_tokens: ${fault}`);
}

/** Tools of the provider carry a type and bring their own shape; the others are the caller's. */
function judgeTools({ docket }: Hearing, tools: readonly unknown[]): void {
  for (let i = 0; i < tools.length; i++) {
    const tool = tools[i];
    if (!isObject(tool)) {
      docket.refuseOutside('shape', `/tools/${i}`, `tools.${i}: Input should be a valid dictionary`);
      continue;
    }
    const { type, name, input_schema: schema } = tool;
    if (type !== undefined && type !== null && type !== 'custom') continue;
    if (typeof name === 'string' && (!isPlainName(name) || isLongerThan(name, MAX_NAME))) {
      const text = `tools.${i}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
      docket.refuseOutside('an-name-len', `/tools/${i}/name`, text);
    }
    if (typeof name !== 'string')
      docket.refuseOutside('shape', `/tools/${i}/name`, `tools.${i}.custom.name: Field required`);
    if (!isObject(schema))
      docket.refuseOutside('shape', `/tools/${i}/input_schema`, `tools.${i}.custom.input_schema: Field required`);
  }
}

function judgeLength(hearing: Hearing, body: JsonObject): void {
  const { docket, profile, scan } = hearing;
  // A character takes at most six bytes of JSON, so only a body that could be too long is written out.
  if (scan.units * 6 > MAX_BYTES) {
    const bytes = jsonBytes(body);
    if (bytes !== undefined && bytes > MAX_BYTES) {
      const said = { text: 'request_too_large', status: 413, type: 'request_too_large' };
      docket.refuseOutside('an-size', '', said);
      return;
    }
  }
  if (scan.units <= profile.window * CHARACTERS_PER_TOKEN) return;
  const tokens = Math.ceil(
    (countRead(body.messages) + countRead(body.system) + countRead(body.tools)) / CHARACTERS_PER_TOKEN,
  );
  if (tokens > profile.window) {
    docket.refuse('an-context', '', `prompt is too long: ${tokens} tokens > ${profile.window} maximum`);
  }
}

/** Characters the model would read, media counted by what they cost instead of by their data. */
function countRead(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || depth > 200) return 0;
  if (Array.isArray(value)) {
    let sum = 0;
    for (const each of value) sum += countRead(each, depth + 1);
    return sum;
  }
  let sum = 0;
  for (const [key, each] of Object.entries(value)) {
    if (key === 'source' && isObject(each) && each.type !== 'text' && each.type !== 'content')
      sum += MEDIA_TOKENS * CHARACTERS_PER_TOKEN;
    else if (!UNREAD_KEYS.has(key) || typeof each !== 'string') sum += countRead(each, depth + 1);
  }
  return sum;
}
