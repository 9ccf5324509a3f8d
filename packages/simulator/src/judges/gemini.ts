import { type Docket, isObject, type JsonObject, type Matter } from './docket.ts';
import {
  type GeminiPart,
  isBase64,
  isKnownKind,
  isSet,
  isStandIn,
  readPart,
  sealedContent,
  spelled,
  standardBase64,
} from './gemini-part.ts';
import { type GeminiProfile, geminiProfile } from './gemini-profile.ts';
import type { GeminiRow } from './gemini-rows.ts';
import { findLone, TextScan } from './text-scan.ts';

export { GEMINI_CHECKS, geminiStage } from './gemini-rows.ts';

type Role = 'user' | 'model';

/** Where a part stands: its index is undefined where a lone part stands for a list of one. */
interface Place {
  readonly content: number;
  readonly part: number | undefined;
}

/** A call or a response, and the field of its part that holds it. */
interface Exchanged {
  readonly id: unknown;
  readonly name: unknown;
  readonly key: string;
  readonly place: Place;
}

const CALL_TURN =
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
const RESPONSE_TURN = 'Please ensure that function response turn comes immediately after a function call turn.';
const RESPONSE_COUNT =
  'Please ensure that the number of function response parts is equal to the number of function call parts ' +
  'of the function call turn.';
const RESPONSE_ID =
  'Please ensure that each function response part has the id of the function call part that it answers.';
const LAST_ROLE = 'Please ensure that single turn requests end with a user role or the role field is empty.';
const VALID_ROLES = 'Please use a valid role: user, model.';
const MISPLACED = 'Please ensure that each thought signature stays on the part that it was returned with.';
const SHOWN = 80;

/** Judges a history or a request of Gemini's `generateContent`. */
export function judgeGemini(matter: Matter, docket: Docket<GeminiRow>): void {
  new Walk(matter, docket).run();
}

class Walk {
  readonly #matter: Matter;
  readonly #docket: Docket<GeminiRow>;
  readonly #profile: GeminiProfile;
  readonly #scan = new TextScan();
  /** Role of the turn the walk is in; contents of one role in a row are one turn. */
  #role: Role | undefined;
  /** Whether the user has spoken at all, and whether this turn was refused for its place already. */
  #heard = false;
  #misplaced = false;
  /** Calls of the last model turn, and the responses of the user turn behind it. */
  #calls: Exchanged[] = [];
  #responses: Exchanged[] = [];
  /** First calls of steps since the user last said something, where they lack a signature. */
  #unsigned: Exchanged[] = [];
  /** Kinds of parts met in this content. */
  #sawCall = false;
  #sawResponse = false;
  #sawOther = false;

  constructor(matter: Matter, docket: Docket<GeminiRow>) {
    this.#matter = matter;
    this.#docket = docket;
    this.#profile = geminiProfile(matter.model, matter.strict);
  }

  run(): void {
    const { list, purpose } = this.#matter;
    for (let i = 0; i < list.length; i++) this.#judgeContent(i, list[i]);
    const finished = this.#role === 'model' && this.#calls.length === 0;
    this.#settle();
    // After a finished answer a history goes on with a new turn, so no turn is current.
    if (this.#profile.signatures && !(finished && purpose === 'history')) this.#judgeUnsigned();
    if (purpose === 'request') this.#judgeRequest();
  }

  #refuse(row: GeminiRow, pointer: string, text: string): void {
    this.#docket.refuse(row, pointer, { text, status: 400, type: 'INVALID_ARGUMENT' });
  }

  #refuseOutside(row: GeminiRow, pointer: string, text: string): void {
    this.#docket.refuseOutside(row, pointer, { text, status: 400, type: 'INVALID_ARGUMENT' });
  }

  #judgeRequest(): void {
    const { list, body } = this.#matter;
    if (list.length === 0) {
      this.#refuse('ge-nonempty', '', '* GenerateContentRequest.contents: contents is not specified');
    } else if (this.#role === 'model') this.#refuse('ge-last-user', `/${list.length - 1}`, LAST_ROLE);
    if (body === undefined) return;
    for (const key in body) {
      if (key === 'contents') continue;
      const flaw = this.#flaw(body[key]);
      const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (flaw !== undefined) this.#refuseOutside(flaw.row, pointer + flaw.below, flaw.text);
      if (key === 'systemInstruction' || key === 'system_instruction') this.#judgeInstruction(key, body[key]);
    }
  }

  #judgeInstruction(key: string, instruction: unknown): void {
    if (!isSet(instruction)) return;
    if (!isObject(instruction)) {
      this.#refuseOutside('shape', `/${key}`, `Invalid value at 'system_instruction', ${shown(instruction)}`);
      return;
    }
    const { parts } = instruction;
    if (!Array.isArray(parts)) return;
    for (let k = 0; k < parts.length; k++) {
      const part: unknown = parts[k];
      const path = `system_instruction.parts[${k}]`;
      const pointer = `/${key}/parts/${k}`;
      if (!isObject(part)) this.#refuseOutside('shape', pointer, `Invalid value at '${path}', ${shown(part)}`);
      else if (readPart(part).kind === undefined) this.#refuseOutside('ge-part-data', pointer, noData(path));
    }
  }

  #judgeContent(i: number, content: unknown): void {
    if (!isObject(content)) {
      this.#refuse('shape', `/${i}`, `Invalid value at 'contents[${i}]', ${shown(content)}`);
      return;
    }
    const flaw = this.#flaw(content);
    if (flaw !== undefined) this.#refuse(flaw.row, `/${i}${flaw.below}`, flaw.text);
    const role = this.#judgeRole(i, content);
    if (role !== this.#role) {
      if (role === 'model') this.#settle();
      this.#role = role;
      this.#misplaced = false;
    }
    this.#sawCall = false;
    this.#sawResponse = false;
    this.#sawOther = false;
    this.#judgeParts(i, content.parts);
    if (role === 'model') this.#judgeCallTurn(i);
    else this.#judgeResponseTurn(i);
  }

  #flaw(value: unknown): { row: 'shape' | 'an-json-utf16'; below: string; text: string } | undefined {
    const scan = this.#scan;
    scan.scan(value);
    if (scan.unreadable) {
      scan.unreadable = false;
      scan.lone = false;
      return { row: 'shape', below: '', text: 'Invalid JSON payload received. Unexpected token.' };
    }
    if (!scan.lone) return undefined;
    scan.lone = false;
    return { row: 'an-json-utf16', below: findLone(value) ?? '', text: 'no low surrogate in string' };
  }

  /** Says whose content this is; one without a role is the user's. */
  #judgeRole(i: number, content: JsonObject): Role {
    const { role } = content;
    if (role === 'user' || role === 'model') return role;
    if (!isSet(role) || role === '') return 'user';
    const text = role === 'system' ? `Content with system role is not supported. ${VALID_ROLES}` : VALID_ROLES;
    this.#refuse('ge-role', `/${i}/role`, text);
    return role === 'assistant' ? 'model' : 'user';
  }

  #judgeParts(i: number, parts: unknown): void {
    if (Array.isArray(parts) && parts.length > 0) {
      for (let k = 0; k < parts.length; k++) this.#judgePart(parts[k], { content: i, part: k });
      // A lone message stands for a list of one, as protobuf's reader of JSON has it.
    } else if (isObject(parts)) this.#judgePart(parts, { content: i, part: undefined });
    else if (isSet(parts) && !Array.isArray(parts)) {
      this.#refuse('shape', `/${i}/parts`, `Invalid value at 'contents[${i}].parts', ${shown(parts)}`);
    } else {
      const text = `* GenerateContentRequest.contents[${i}].parts: contents.parts must not be empty.`;
      this.#refuse('ge-parts', isSet(parts) ? `/${i}/parts` : `/${i}`, text);
    }
  }

  #judgePart(part: unknown, place: Place): void {
    if (!isObject(part)) {
      this.#sawOther = true;
      this.#refuse('shape', pointerOf(place), `Invalid value at '${pathOf(place)}', ${shown(part)}`);
      return;
    }
    const read = readPart(part);
    const { kind, surplus } = read;
    if (kind === undefined) this.#refuse('ge-part-data', pointerOf(place), noData(pathOf(place)));
    if (surplus !== undefined) {
      const text = `oneof field 'data' is already set. Cannot set '${surplus}'`;
      const at = `Invalid value at '${pathOf(place)}' (oneof)`;
      this.#refuse('ge-part-data', `${pointerOf(place)}/${surplus}`, `${at}, ${text}`);
    }
    if (read.foreign.length > 0) this.#refuse('ge-part-data', pointerOf(place), unknownNames(read.foreign, place));
    if (read.seal !== undefined) this.#judgeSeal(part, read, place);
    if (kind === 'functionCall') this.#judgeCall(read, place);
    else if (kind === 'functionResponse') this.#judgeResponse(read, place);
    else {
      this.#sawOther = true;
      const fits = kind === 'text' ? typeof read.value === 'string' : isObject(read.value);
      if (!fits && kind !== undefined && isKnownKind(kind)) this.#refuseValue(read, place);
    }
  }

  #refuseValue(read: GeminiPart, place: Place): void {
    const at = `${pathOf(place)}.${spelled(read.kind ?? '')}`;
    this.#refuse('shape', `${pointerOf(place)}/${read.key}`, `Invalid value at '${at}', ${shown(read.value)}`);
  }

  #judgeSeal(part: JsonObject, read: GeminiPart, place: Place): void {
    const { seal } = read;
    if (!isBase64(seal)) {
      this.#refuseSeal('ge-sig-valid', read, place);
      return;
    }
    const { seals, list, model, body } = this.#matter;
    if (seals === undefined || isStandIn(seal)) return;
    const message = place.content;
    const content = sealedContent(part);
    const verdict = seals({ seal: standardBase64(seal), content, list, message, model, body });
    // Nothing says that a signature is bound to what stands before it, so a changed prefix is no reason to refuse.
    if (verdict === 'foreign') this.#refuseSeal('ge-sig-valid', read, place);
    else if (verdict === 'changed') this.#refuseSeal('ge-sig-place', read, place);
  }

  #refuseSeal(row: 'ge-sig-valid' | 'ge-sig-place', read: GeminiPart, place: Place): void {
    const text = row === 'ge-sig-valid' ? 'Corrupted thought signature.' : MISPLACED;
    this.#refuse(row, `${pointerOf(place)}/${read.sealKey}`, text);
  }

  #judgeCall(read: GeminiPart, place: Place): void {
    this.#sawCall = true;
    const call = isObject(read.value) ? read.value : undefined;
    if (call === undefined) this.#refuseValue(read, place);
    else {
      if (typeof call.name !== 'string' || call.name === '') this.#refuseName('shape', read, place);
      if (isSet(call.args) && !isObject(call.args)) this.#refuseStruct('args', read, place);
    }
    if (this.#role !== 'model') {
      this.#refuse('ge-fc-after', pointerOf(place), CALL_TURN);
      return;
    }
    const asked = { id: call?.id, name: call?.name, key: read.key, place };
    if (this.#calls.length === 0 && read.seal === undefined) this.#unsigned.push(asked);
    this.#calls.push(asked);
  }

  #judgeResponse(read: GeminiPart, place: Place): void {
    this.#sawResponse = true;
    const response = isObject(read.value) ? read.value : undefined;
    if (response === undefined) this.#refuseValue(read, place);
    else {
      if (typeof response.name !== 'string' || response.name === '') this.#refuseName('ge-fr-name', read, place);
      if (!isObject(response.response)) this.#refuseStruct('response', read, place);
    }
    if (this.#role !== 'user') this.#refuse('ge-fr-after', pointerOf(place), RESPONSE_TURN);
    else if (this.#calls.length > 0) {
      this.#responses.push({ id: response?.id, name: response?.name, key: read.key, place });
    }
  }

  #refuseName(row: 'shape' | 'ge-fr-name', read: GeminiPart, place: Place): void {
    const path = `${pathOf(place)}.${spelled(read.kind ?? '')}`;
    const text = `* GenerateContentRequest.${path}.name: Name cannot be empty.`;
    this.#refuse(row, `${pointerOf(place)}/${read.key}/name`, text);
  }

  #refuseStruct(name: 'args' | 'response', read: GeminiPart, place: Place): void {
    const path = `${pathOf(place)}.${spelled(read.kind ?? '')}`;
    const value = (read.value as JsonObject)[name];
    this.#refuse(
      'ge-fr-object',
      `${pointerOf(place)}/${read.key}/${name}`,
      Array.isArray(value)
        ? `Invalid JSON payload received. Unknown name "${name}" at '${path}': ` +
            'Proto field is not repeating, cannot start list.'
        : `Invalid value at '${path}.${name}' (type.googleapis.com/google.protobuf.Struct), ${shown(value)}`,
    );
  }

  #judgeCallTurn(i: number): void {
    // Contents of one role are one turn, so a turn of the model has one of the user before it unless it is the first.
    if (!this.#sawCall || this.#heard || this.#misplaced) return;
    this.#misplaced = true;
    this.#refuse('ge-fc-after', `/${i}`, CALL_TURN);
  }

  #judgeResponseTurn(i: number): void {
    this.#heard = true;
    if (this.#sawOther || this.#sawCall) this.#unsigned = [];
    if (!this.#sawResponse || this.#calls.length > 0 || this.#misplaced) return;
    this.#misplaced = true;
    this.#refuse('ge-fr-after', `/${i}`, RESPONSE_TURN);
  }

  /** Compares the calls of a model turn with what the user turn behind it brought. */
  #settle(): void {
    const calls = this.#calls;
    const responses = this.#responses;
    if (calls.length === 0) return;
    this.#calls = [];
    this.#responses = [];
    if (calls.length !== responses.length) this.#refuse('ge-fr-count', `/${calls[0]?.place.content}`, RESPONSE_COUNT);
    else if (this.#profile.ids) this.#judgeIds(calls, responses);
  }

  #judgeIds(calls: readonly Exchanged[], responses: readonly Exchanged[]): void {
    if (calls.every(({ id }, k) => !isSet(id) || id === '' || id === responses[k]?.id)) return;
    const answered = new Set(responses.map(({ id }) => id));
    const open = calls.find(({ id }) => isSet(id) && id !== '' && !answered.has(id));
    if (open === undefined) return;
    const asked = new Set(calls.map(({ id }) => id));
    const stray = responses.find(({ id }) => !asked.has(id)) ?? open;
    this.#refuse('ge-fr-id', `${pointerOf(stray.place)}/${stray.key}/id`, RESPONSE_ID);
  }

  #judgeUnsigned(): void {
    for (const { name, place } of this.#unsigned) {
      const text =
        `Function call \`${String(name)}\` in the \`${place.content + 1}.\` content block ` +
        'is missing a `thought_signature`.';
      this.#refuse('ge-sig-missing', pointerOf(place), text);
    }
  }
}

const pathOf = ({ content, part }: Place): string => `contents[${content}].parts[${part ?? 0}]`;
const pointerOf = ({ content, part }: Place): string => `/${content}/parts${part === undefined ? '' : `/${part}`}`;
/** Whoever reads the JSON knows of no index where no list was written. */
const unknownNames = (names: readonly string[], { content, part }: Place): string => {
  const path = `contents[${content}].parts${part === undefined ? '' : `[${part}]`}`;
  return names
    .map((name) => `Invalid JSON payload received. Unknown name "${name}" at '${path}': Cannot find field.`)
    .join('\n');
};
const noData = (path: string): string =>
  `* GenerateContentRequest.${path}.data: required oneof field 'data' must have one initialized field`;

/** A value as the API repeats it in a refusal, cut short where it is long. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'null';
}
