import { isLongerThan, type JsonObject } from './docket.ts';
import { ROLES } from './openai-responses-entries.ts';
import { judgeParts } from './openai-responses-parts.ts';
import { placeOf, type ResponsesHearing } from './openai-responses-rows.ts';
import {
  emptyString,
  longArray,
  longString,
  missingOrWrongType,
  unsupported,
  wrongType,
} from './openai-responses-words.ts';

const CALL_ID_LENGTH = 64;
const NAME_LENGTH = 128;
const OUTPUT_LENGTH = 10_485_760;
const PHASES = ['commentary', 'final_answer'];
const TEXT_OR_PARTS = 'one of an array of objects or string';

/** One item of the input and where it stands. */
export interface Found {
  readonly i: number;
  readonly type: string;
  readonly entry: JsonObject;
}

type FieldJudge = (hearing: ResponsesHearing, found: Found) => void;

const FIELD_JUDGES: ReadonlyMap<string, FieldJudge> = new Map<string, FieldJudge>([
  ['message', judgeMessage],
  ['reasoning', judgeReasoning],
  ['function_call', judgeCall],
  ['custom_tool_call', judgeCall],
  ['function_call_output', judgeOutput],
  ['custom_tool_call_output', judgeOutput],
  ['computer_call', judgeCallId],
  ['computer_call_output', judgeCallId],
  ['shell_call', judgeCallId],
  ['shell_call_output', judgeCallId],
  ['apply_patch_call', judgeCallId],
  ['apply_patch_call_output', judgeCallId],
  ['local_shell_call', judgeCallId],
  ['tool_search_call', judgeCallIdIfGiven],
  ['tool_search_output', judgeCallIdIfGiven],
  ['item_reference', judgeKept],
  ['program', judgeProgram],
  ['compaction', judgeCompaction],
  ['compaction_trigger', judgeTrigger],
]);

/** Judges the fields of one item by themselves, whatever stands around it. */
export function judgeFields(hearing: ResponsesHearing, found: Found): void {
  FIELD_JUDGES.get(found.type)?.(hearing, found);
}

function judgeMessage(hearing: ResponsesHearing, { i, entry }: Found): void {
  const { docket } = hearing;
  const { role, content, phase } = entry;
  if (typeof role !== 'string') {
    docket.refuse('shape', `/${i}/role`, missingOrWrongType(`input[${i}].role`, 'a string', role));
  } else if (!ROLES.includes(role)) {
    docket.refuse('shape', `/${i}/role`, unsupported(`input[${i}].role`, role, ROLES));
  }
  if (phase !== undefined && phase !== null && !PHASES.some((known) => known === phase)) {
    docket.refuse('shape', `/${i}/phase`, unsupported(`input[${i}].phase`, phase, PHASES));
  }
  if (typeof content === 'string') return;
  const place = placeOf(i, 'content');
  if (Array.isArray(content)) judgeParts(hearing, place, { parts: content, byModel: role === 'assistant' });
  else docket.refuse('shape', place.pointer, missingOrWrongType(place.param, TEXT_OR_PARTS, content));
}

function judgeReasoning(hearing: ResponsesHearing, found: Found): void {
  const { docket, profile } = hearing;
  const { i, entry } = found;
  const { summary, content, encrypted_content: seal } = entry;
  if (!Array.isArray(summary)) {
    const { param, pointer } = placeOf(i, 'summary');
    docket.refuse('or-reason-shape', pointer, missingOrWrongType(param, 'an array of objects', summary));
  }
  const place = placeOf(i, 'content');
  if (Array.isArray(content)) {
    if (content.length > 0 && !profile.reasoningText) {
      docket.refuse('or-reason-shape', place.pointer, longArray(place.param, 0, content.length));
    }
  } else if (content !== undefined && content !== null) {
    docket.refuse('or-reason-shape', place.pointer, wrongType(place.param, 'an array of objects', content));
  }
  if (typeof seal === 'string' && seal !== '') return;
  if (seal !== undefined && seal !== null && seal !== '') {
    const sealed = placeOf(i, 'encrypted_content');
    docket.refuse('or-encrypted', sealed.pointer, wrongType(sealed.param, 'a string', seal));
  } else judgeKept(hearing, found);
}

/** What is sent by its id alone must have been kept; a request that stores nothing says that nothing was. */
function judgeKept(hearing: ResponsesHearing, { i, entry }: Found): void {
  const { body, memory } = hearing.matter;
  const { id } = entry;
  if (typeof id !== 'string') return;
  if (memory === undefined ? body?.store !== false : memory.entry(id) !== undefined) return;
  hearing.docket.refuse('or-item-lost', `/${i}`, {
    text:
      `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. ` +
      'Try again with `store` set to true, or remove this item from your input.',
    status: 404,
    code: null,
    param: 'input',
  });
}

function judgeCall(hearing: ResponsesHearing, found: Found): void {
  const { i, type, entry } = found;
  judgeCallId(hearing, found);
  judgeWord(hearing, found, { field: 'name', max: NAME_LENGTH });
  const field = type === 'function_call' ? 'arguments' : 'input';
  if (typeof entry[field] === 'string') return;
  const { param, pointer } = placeOf(i, field);
  hearing.docket.refuse('or-args', pointer, missingOrWrongType(param, 'a string', entry[field]));
}

function judgeOutput(hearing: ResponsesHearing, found: Found): void {
  const { docket, profile } = hearing;
  const { i, type, entry } = found;
  const { output } = entry;
  if (type === 'function_call_output' && profile.outputWithoutCall) judgeCallIdIfGiven(hearing, found);
  else judgeCallId(hearing, found);
  if (typeof output === 'string' && output.length <= OUTPUT_LENGTH) return;
  const place = placeOf(i, 'output');
  if (typeof output === 'string') {
    if (isLongerThan(output, OUTPUT_LENGTH))
      docket.refuse('or-callid', place.pointer, longString(place.param, OUTPUT_LENGTH, output));
  } else if (Array.isArray(output)) judgeParts(hearing, place, { parts: output, byModel: false });
  else docket.refuse('or-args', place.pointer, missingOrWrongType(place.param, TEXT_OR_PARTS, output));
}

function judgeCallIdIfGiven(hearing: ResponsesHearing, found: Found): void {
  const { call_id: id } = found.entry;
  if (id !== undefined && id !== null) judgeCallId(hearing, found);
}

function judgeCallId(hearing: ResponsesHearing, found: Found): void {
  judgeWord(hearing, found, { field: 'call_id', max: CALL_ID_LENGTH });
}

function judgeWord(hearing: ResponsesHearing, { i, entry }: Found, rule: { field: string; max: number }): void {
  const value = entry[rule.field];
  if (typeof value === 'string' && value !== '' && value.length <= rule.max) return;
  const { param, pointer } = placeOf(i, rule.field);
  if (typeof value !== 'string') {
    hearing.docket.refuse('or-callid', pointer, missingOrWrongType(param, 'a string', value));
  } else if (value === '') hearing.docket.refuse('or-callid', pointer, emptyString(param));
  else if (isLongerThan(value, rule.max))
    hearing.docket.refuse('or-callid', pointer, longString(param, rule.max, value));
}

function judgeProgram(hearing: ResponsesHearing, found: Found): void {
  const { i, entry } = found;
  judgeCallId(hearing, found);
  if (typeof entry.fingerprint === 'string') return;
  const { param, pointer } = placeOf(i, 'fingerprint');
  hearing.docket.refuse('or-program', pointer, missingOrWrongType(param, 'a string', entry.fingerprint));
}

function judgeCompaction(hearing: ResponsesHearing, { i, entry }: Found): void {
  if (typeof entry.encrypted_content === 'string') return;
  const { param, pointer } = placeOf(i, 'encrypted_content');
  hearing.docket.refuse('or-compaction', pointer, missingOrWrongType(param, 'a string', entry.encrypted_content));
}

function judgeTrigger(hearing: ResponsesHearing, { i }: Found): void {
  if (i === hearing.matter.list.length - 1) return;
  hearing.docket.refuse('or-compaction', `/${i}`, {
    text: `Invalid 'input[${i}]': an item of type 'compaction_trigger' must be the last item of the input.`,
    code: 'invalid_value',
    param: `input[${i}]`,
  });
}
