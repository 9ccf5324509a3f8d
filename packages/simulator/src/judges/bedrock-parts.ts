import type { BedrockProfile } from './bedrock-profile.ts';
import type { BedrockRow } from './bedrock-rows.ts';
import { type Docket, isObject, isPlainName, type JsonObject } from './docket.ts';

export type Asked = Set<string>;

/** Where a content block stands. */
interface Spot {
  readonly i: number;
  readonly k: number;
  readonly role: 'user' | 'assistant';
  readonly count: number;
}

const MEMBERS = [
  'toolUse',
  'toolResult',
  'reasoningContent',
  'text',
  'image',
  'document',
  'video',
  'audio',
  'guardContent',
  'cachePoint',
  'citationsContent',
  'searchResult',
] as const;
const NOT_IN_RESULTS: ReadonlySet<string> = new Set(['toolUse', 'toolResult', 'reasoningContent']);
const IN_ERRORS: ReadonlySet<string> = new Set(['text', 'json']);
const MAX_NAME = 64;
const PREFIX = 'The model returned the following errors: ';

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/** The member of the union that a content block holds; `other` for one of the future, undefined where there is none. */
export function memberOf(part: unknown): string | undefined {
  if (!isObject(part)) return undefined;
  const known = MEMBERS.find((member) => isThere(part[member]));
  if (known !== undefined) return known;
  // A block of another API says its type; a union never does.
  if (typeof part.type === 'string') return undefined;
  return Object.keys(part).some((key) => isThere(part[key])) ? 'other' : undefined;
}

function inner(part: unknown, member: string): JsonObject | undefined {
  const value = memberOf(part) === member && isObject(part) ? part[member] : undefined;
  return isObject(value) ? value : undefined;
}

/** A call for the client to run; those that the service runs itself say so. */
export function isCall(part: unknown): boolean {
  const call = inner(part, 'toolUse');
  return call !== undefined && call.type !== 'server_tool_use';
}

export function clientCallId(part: unknown): string | undefined {
  const id = isCall(part) ? inner(part, 'toolUse')?.toolUseId : undefined;
  return typeof id === 'string' ? id : undefined;
}

export function isClientResult(part: unknown): boolean {
  return inner(part, 'toolResult') !== undefined;
}

export function resultId(part: unknown): string | undefined {
  const id = inner(part, 'toolResult')?.toolUseId;
  return typeof id === 'string' ? id : undefined;
}

/** Judges single content blocks. */
export class BedrockParts {
  readonly #docket: Docket<BedrockRow>;
  readonly #profile: BedrockProfile;

  constructor(docket: Docket<BedrockRow>, profile: BedrockProfile) {
    this.#docket = docket;
    this.#profile = profile;
  }

  judge(spot: Spot, part: unknown): void {
    const member = memberOf(part);
    const at = `/${spot.i}/content/${spot.k}`;
    if (!isObject(part) || member === undefined) {
      this.#docket.refuse('shape', at, `messages.${spot.i}.content.${spot.k}: not a content block`);
      return;
    }
    const value = part[member];
    if (member === 'text') this.#judgeText(spot, value, '');
    else if (member === 'guardContent') this.#judgeGuard(spot, value);
    else if (member === 'toolUse' || member === 'toolResult' || member === 'reasoningContent') {
      if (!isObject(value)) this.#docket.refuse('shape', `${at}/${member}`, `${member}: expected an object`);
      else if (member === 'toolUse') this.#judgeCall(spot, value);
      else if (member === 'toolResult') this.#judgeResult(spot, value);
      else this.#judgeReasoning(spot, value);
    }
  }

  #judgeText({ i, k }: Spot, text: unknown, inside: string): void {
    const pointer = `/${i}/content/${k}${inside}`;
    if (typeof text !== 'string') this.#docket.refuse('shape', `${pointer}/text`, 'text: expected a string');
    else if (text === '' || (text.trim() === '' && !this.#profile.takesBlank)) {
      const words =
        `The text field in the ContentBlock object at messages.${i}.content.${k} is blank. Add text to the text ` +
        'field, and try again.';
      this.#docket.refuse('br-text-blank', pointer, words);
    }
  }

  #judgeGuard(spot: Spot, value: unknown): void {
    const text = isObject(value) && isObject(value.text) ? value.text.text : undefined;
    if (typeof text === 'string') this.#judgeText(spot, text, '');
  }

  #refuseRole({ i, k, role }: Spot, member: string): void {
    const text = `${PREFIX}messages.${i}: \`${member}\` blocks cannot be in \`${role}\` messages`;
    this.#docket.refuse('br-passthrough', `/${i}/content/${k}`, text);
  }

  #judgeCall(spot: Spot, call: JsonObject): void {
    const { i, k, role } = spot;
    const at = `/${i}/content/${k}/toolUse`;
    if (role !== 'assistant') this.#refuseRole(spot, 'toolUse');
    if (call.type === 'server_tool_use') return;
    const { toolUseId: id, name, input } = call;
    if (typeof id !== 'string' || !this.#profile.id.test(id)) {
      this.#docket.refuse('br-id', at, `messages.${i}.content.${k}.toolUse.toolUseId is not a legal id`);
    }
    if (typeof name !== 'string' || name.length > MAX_NAME || !isPlainName(name)) {
      this.#docket.refuse('br-id', at, `messages.${i}.content.${k}.toolUse.name is not a legal name`);
    }
    if (!isObject(input) || hasEmptyKey(input)) {
      const words = `The value at messages.${i}.content.${k}.toolUse.input is invalid. Provide a json object`;
      this.#docket.refuse('br-input-object', at, words);
    }
  }

  #judgeResult(spot: Spot, result: JsonObject): void {
    const { i, k, role } = spot;
    const at = `/${i}/content/${k}/toolResult`;
    if (role !== 'user') {
      // Tools that the service runs itself leave their results with the assistant.
      if (typeof result.type !== 'string') this.#refuseRole(spot, 'toolResult');
      return;
    }
    const { content, status } = result;
    if (typeof result.toolUseId !== 'string') this.#docket.refuse('shape', at, 'toolUseId: expected a string');
    if (isThere(status) && !this.#profile.takesStatus)
      this.#docket.refuse('br-status', at, 'This model does not support the status field in tool results.');
    if (!Array.isArray(content)) {
      this.#docket.refuse('shape', at, 'content: expected a list');
      return;
    }
    if (status === 'error' && content.length === 0) {
      const where = `messages.${i}.content.${k}.toolResult`;
      const words = `The content field at ${where} cannot be empty when status value is error.`;
      this.#docket.refuse('br-error-content', at, words);
    }
    for (const [n, piece] of content.entries()) this.#judgePiece({ spot, n, failed: status === 'error' }, piece);
  }

  #judgePiece({ spot, n, failed }: { spot: Spot; n: number; failed: boolean }, piece: unknown): void {
    const at = `/${spot.i}/content/${spot.k}/toolResult`;
    const json = isObject(piece) && isThere(piece.json) && !isThere(piece.text) ? 'json' : undefined;
    const member = json ?? memberOf(piece);
    if (!isObject(piece) || member === undefined) {
      this.#docket.refuse('shape', `${at}/content/${n}`, 'not a content block of a result');
    } else if (NOT_IN_RESULTS.has(member) || (failed && this.#profile.claude !== undefined && !IN_ERRORS.has(member))) {
      const words = `${PREFIX}all content must be type "text" if "is_error" is true`;
      this.#docket.refuse('br-passthrough', `${at}/content/${n}`, words);
    } else if (member === 'text') this.#judgeText(spot, piece.text, `/toolResult/content/${n}`);
  }

  #judgeReasoning(spot: Spot, reasoning: JsonObject): void {
    const { i, k, role } = spot;
    if (role !== 'assistant') this.#refuseRole(spot, 'reasoningContent');
    if (this.#profile.claude === undefined) return;
    const { reasoningText: said, redactedContent: redacted } = reasoning;
    const signed = isObject(said)
      ? typeof said.text === 'string' && typeof said.signature === 'string' && said.signature !== ''
      : typeof redacted === 'string' && redacted !== '';
    if (signed) return;
    const text = `${PREFIX}messages.${i}.content.${k}: Invalid \`signature\` in \`thinking\` block`;
    this.#docket.refuse('br-passthrough', `/${i}/content/${k}/reasoningContent`, text);
  }
}

const MOST = 1_000_000;

/** Keys may not be empty, however deep they are. */
function hasEmptyKey(root: unknown): boolean {
  const open: unknown[] = [root];
  for (let count = 0; open.length > 0 && count < MOST; count++) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value) && Object.hasOwn(value, '')) return true;
    for (const child of Object.values(value)) open.push(child);
  }
  return false;
}
