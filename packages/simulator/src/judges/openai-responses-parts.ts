import { isObject, type JsonObject } from './docket.ts';
import type { Place, ResponsesHearing } from './openai-responses-rows.ts';
import { missingOrWrongType, unsupported, wrongType } from './openai-responses-words.ts';

const BY_MODEL = ['output_text', 'refusal'];
const BY_CLIENT = ['input_text', 'input_image', 'input_file'];

/** Parts of a message or of an output; those of the model are of other types than those of the client. */
export function judgeParts(hearing: ResponsesHearing, place: Place, given: GivenParts): void {
  const { parts, byModel } = given;
  for (let k = 0; k < parts.length; k++) {
    const part = parts[k];
    if (isObject(part) && isPlainText(part, byModel)) continue;
    const here = { param: `${place.param}[${k}]`, pointer: `${place.pointer}/${k}` };
    if (!isObject(part)) hearing.docket.refuse('shape', here.pointer, wrongType(here.param, 'an object', part));
    else if (typeof part.type !== 'string') {
      const said = missingOrWrongType(`${here.param}.type`, 'a string', part.type);
      hearing.docket.refuse('shape', `${here.pointer}/type`, said);
    } else if (byModel ? BY_MODEL.includes(part.type) : part.type.startsWith('input_')) judgePart(hearing, here, part);
    else {
      const said = unsupported(here.param, part.type, byModel ? BY_MODEL : BY_CLIENT);
      hearing.docket.refuse('or-part-type', here.pointer, said);
    }
  }
}

/** Most parts are, and nothing more needs to be known about them. */
function isPlainText(part: JsonObject, byModel: boolean): boolean {
  return part.type === (byModel ? 'output_text' : 'input_text') && typeof part.text === 'string';
}

interface GivenParts {
  readonly parts: readonly unknown[];
  readonly byModel: boolean;
}

function judgePart(hearing: ResponsesHearing, { param, pointer }: Place, part: JsonObject): void {
  const { type } = part;
  if (type === 'input_file') judgeFile(hearing, { param, pointer }, part.file_data);
  const field = type === 'refusal' ? 'refusal' : 'text';
  if (type !== 'refusal' && type !== 'input_text' && type !== 'output_text') return;
  if (typeof part[field] === 'string') return;
  hearing.docket.refuse(
    'shape',
    `${pointer}/${field}`,
    missingOrWrongType(`${param}.${field}`, 'a string', part[field]),
  );
}

/** Sound and film are no files to read; the refusal is on record although it has no row of its own. */
function judgeFile(hearing: ResponsesHearing, place: Place, data: unknown): void {
  const type = typeof data === 'string' ? /^data:((?:audio|video)\/[^;,]*)/.exec(data)?.[1] : undefined;
  if (type === undefined) return;
  const param = `${place.param}.file_data`;
  hearing.docket.refuse('shape', `${place.pointer}/file_data`, {
    text:
      `Invalid file data: '${param}'. Expected a base64-encoded data URL with a valid file MIME type ` +
      `(e.g. 'data:text/plain;base64,SGVsbG8sIFdvcmxkIQ=='), but got unsupported MIME type '${type}'. ` +
      'Please see https://platform.openai.com/docs/assistants/tools/file-search#supported-files ' +
      'for supported file types.',
    code: 'invalid_value',
    param,
  });
}
