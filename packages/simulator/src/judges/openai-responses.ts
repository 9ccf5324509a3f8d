import { type Docket, isLongerThan, isObject, type JsonObject } from './docket.ts';
import { idOf, ID_PREFIXES, KNOWN_TYPES, responsesProfile, typeOf, TYPES } from './openai-responses-entries.ts';
import { judgeFields } from './openai-responses-fields.ts';
import { ReasoningOrder } from './openai-responses-order.ts';
import { Pairs } from './openai-responses-pairs.ts';
import { judgeRequest } from './openai-responses-request.ts';
import {
  placeOf,
  type ResponsesHearing,
  responsesStage,
  type ResponsesMatter,
  type ResponsesRow,
} from './openai-responses-rows.ts';
import {
  emptyString,
  longString,
  missing,
  missingOrWrongType,
  ofInput,
  unsupported,
  wrongType,
} from './openai-responses-words.ts';
import { findLone, TextScan } from './text-scan.ts';

export { RESPONSES_CHECKS, RESPONSES_MEMORY_CHECKS, type ResponsesMatter } from './openai-responses-rows.ts';
export { readResponsesInput } from './openai-responses-request.ts';
export type { KeptEntry, ResponseMemory } from './openai-responses-memory.ts';

const ID_LENGTH = 64;
const ID = /^[A-Za-z0-9_-]+$/;

/** Judges a history or a request of the OpenAI Responses API. */
export function judgeOpenaiResponses(matter: ResponsesMatter, docket: Docket<ResponsesRow>): void {
  new Walk(matter, docket).run();
}

class Walk {
  readonly #hearing: ResponsesHearing;
  readonly #docket: Docket<ResponsesRow>;
  readonly #scan = new TextScan();
  readonly #order: ReasoningOrder;
  readonly #pairs: Pairs;
  readonly #ids = new Set<string>();
  #lastSeal: string | undefined;

  constructor(matter: ResponsesMatter, docket: Docket<ResponsesRow>) {
    this.#docket = docket;
    this.#hearing = { matter, docket, profile: responsesProfile(matter.model, matter.strict) };
    this.#order = new ReasoningOrder(this.#hearing);
    this.#pairs = new Pairs(this.#hearing);
  }

  run(): void {
    const { list, body } = this.#hearing.matter;
    const chain = judgeRequest(this.#hearing);
    if (Array.isArray(chain)) this.#remember(chain);
    if (typeof body?.input === 'string') {
      // A bare string has no place in a list that a pointer could lead to.
      if (!body.input.isWellFormed()) this.#docket.refuse('an-json-utf16', '', 'no low surrogate in string');
    } else for (let i = 0; i < list.length; i++) this.#judgeEntry(i, list[i]);
    this.#order.finish(chain === 'unseen');
    this.#pairs.finish(chain === 'unseen');
    const { refusals } = this.#docket;
    if (refusals.length > 1) refusals.sort((a, b) => responsesStage(a) - responsesStage(b));
  }

  #remember(chain: readonly unknown[]): void {
    this.#order.remember(chain);
    this.#pairs.remember(chain);
    for (const entry of chain) {
      const id = isObject(entry) ? idOf(entry) : undefined;
      if (id !== undefined) this.#ids.add(id);
    }
  }

  #judgeEntry(i: number, entry: unknown): void {
    if (!isObject(entry)) {
      this.#docket.refuse('shape', `/${i}`, wrongType(`input[${i}]`, 'an object', entry));
      return;
    }
    this.#scanTexts(i, entry);
    const type = typeOf(entry);
    if (typeof type !== 'string') {
      this.#docket.refuse('shape', `/${i}/type`, missingOrWrongType(`input[${i}].type`, 'a string', type));
      return;
    }
    if (this.#hearing.profile.knownTypesOnly && !KNOWN_TYPES.has(type)) {
      this.#docket.refuse('shape', `/${i}/type`, unsupported(`input[${i}]`, type, TYPES));
    }
    this.#judgeId(i, type, entry);
    judgeFields(this.#hearing, { i, type, entry });
    if (type === 'reasoning') this.#judgeSeal(i, entry);
    this.#order.see(i, type, entry);
    this.#pairs.see(i, type, entry);
  }

  #scanTexts(i: number, entry: JsonObject): void {
    const scan = this.#scan;
    scan.scan(entry);
    if (scan.unreadable) {
      scan.unreadable = false;
      this.#docket.refuse('shape', `/${i}`, `input[${i}]: cannot be written as JSON`);
    }
    if (!scan.lone) return;
    scan.lone = false;
    this.#docket.refuse('an-json-utf16', `/${i}${findLone(entry) ?? ''}`, 'no low surrogate in string');
  }

  #judgeId(i: number, type: string, entry: JsonObject): void {
    const { id } = entry;
    if (typeof id === 'string') {
      this.#judgeIdForm(i, type, id);
      const before = this.#ids.size;
      this.#ids.add(id);
      if (this.#ids.size > before) return;
      this.#docket.refuse('or-id-dup', `/${i}/id`, ofInput(`Duplicate item found with id ${id}`));
    } else if (id !== undefined && id !== null) {
      this.#docket.refuse('shape', `/${i}/id`, wrongType(`input[${i}].id`, 'a string', id));
    } else if (type === 'item_reference') this.#docket.refuse('shape', `/${i}/id`, missing(`input[${i}].id`));
  }

  #judgeIdForm(i: number, type: string, id: string): void {
    const prefix = ID_PREFIXES.get(type);
    const hasPrefix = prefix === undefined || id.startsWith(prefix);
    if (hasPrefix && id.length <= ID_LENGTH && ID.test(id)) return;
    const { param, pointer } = placeOf(i, 'id');
    const docket = this.#docket;
    if (isLongerThan(id, ID_LENGTH)) docket.refuse('or-id-len', pointer, longString(param, ID_LENGTH, id));
    else if (id === '') docket.refuse('or-id-len', pointer, emptyString(param));
    else if (!ID.test(id)) {
      const text =
        `Invalid '${param}': '${id}'. Expected an ID that contains letters, numbers, underscores, or dashes, ` +
        'but this value contained additional characters.';
      docket.refuse('or-id-len', pointer, { text, code: 'invalid_value', param });
    } else {
      const text = `Invalid '${param}': '${id}'. Expected an ID that begins with '${String(prefix)}'.`;
      docket.refuse('or-id-prefix', pointer, { text, code: 'invalid_value', param });
    }
  }

  #judgeSeal(i: number, entry: JsonObject): void {
    const { seals, list, model, body } = this.#hearing.matter;
    const { encrypted_content: seal, summary } = entry;
    if (seals === undefined || typeof seal !== 'string' || seal === '') return;
    const previous = this.#lastSeal;
    this.#lastSeal = seal;
    const verdict = seals({ seal, content: summary, list, message: i, model, body, previous });
    // This API seals each reasoning by itself, so what stands before it may change.
    if (verdict !== 'foreign' && verdict !== 'changed') return;
    const reason =
      verdict === 'foreign'
        ? 'Encrypted content could not be decrypted or parsed.'
        : 'Encrypted content item_id did not match the target item id.';
    this.#docket.refuse('or-encrypted', `/${i}/encrypted_content`, {
      text: `The encrypted content ${seal.slice(0, 4)}...${seal.slice(-4)} could not be verified. Reason: ${reason}`,
      code: 'invalid_encrypted_content',
      param: null,
    });
  }
}
