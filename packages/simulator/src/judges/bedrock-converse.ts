import { BedrockParts, type Asked, clientCallId, isCall, isClientResult, memberOf, resultId } from './bedrock-parts.ts';
import { type BedrockProfile, bedrockProfile } from './bedrock-profile.ts';
import type { BedrockRow } from './bedrock-rows.ts';
import { type Docket, isObject, type JsonObject, type Matter } from './docket.ts';
import { findLone, flawsBeside, TextScan } from './text-scan.ts';

export { BEDROCK_CHECKS, bedrockStage } from './bedrock-rows.ts';

const FIRST =
  'A conversation must start with a user message. Try again with a conversation that starts with a user message.';
const ALTERNATE =
  'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between ' +
  'user and assistant roles and try again.';
const MAX_CACHE_POINTS = 4;
const PREFIX = 'The model returned the following errors: ';

/** Judges a history or a request of the Converse API of Amazon Bedrock. */
export function judgeBedrockConverse(matter: Matter, docket: Docket<BedrockRow>): void {
  new Walk(matter, docket).run();
}

class Walk {
  readonly #matter: Matter;
  readonly #docket: Docket<BedrockRow>;
  readonly #profile: BedrockProfile;
  readonly #parts: BedrockParts;
  readonly #scan = new TextScan();
  /** The calls of the assistant message just read; undefined behind any other message. */
  #asked: Asked | undefined;
  #previous: unknown;
  #usesTools = false;

  constructor(matter: Matter, docket: Docket<BedrockRow>) {
    this.#matter = matter;
    this.#docket = docket;
    this.#profile = bedrockProfile(matter.model, matter.strict);
    this.#parts = new BedrockParts(docket, this.#profile);
  }

  run(): void {
    const { list, purpose, body } = this.#matter;
    for (let i = 0; i < list.length; i++) this.#judgeMessage(i, list[i]);
    if (this.#asked !== undefined && this.#asked.size > 0) this.#refuseOpen(list.length, this.#asked);
    this.#judgeCachePoints();
    if (purpose === 'request') this.#judgeRequest();
    if (purpose === 'request' && body !== undefined) {
      for (const { row, pointer, text } of flawsBeside(body, 'messages'))
        this.#docket.refuseOutside(row, pointer, text);
    }
  }

  #judgeMessage(i: number, message: unknown): void {
    const role = isObject(message) ? message.role : undefined;
    if (!isObject(message) || (role !== 'user' && role !== 'assistant')) {
      this.#docket.refuse('shape', `/${i}`, `messages.${i}: a message has a role, user or assistant`);
      this.#asked = undefined;
      this.#previous = undefined;
      return;
    }
    this.#scanTexts(i, message);
    if (i === 0 && role !== 'user' && this.#profile.firstMustBeUser) this.#docket.refuse('br-first-user', '/0', FIRST);
    if (role === this.#previous) this.#docket.refuse('br-alternate', `/${i}`, ALTERNATE);
    this.#previous = role;
    const { content } = message;
    if (!Array.isArray(content)) {
      this.#docket.refuse('shape', `/${i}/content`, `messages.${i}.content: expected a list of content blocks`);
      return;
    }
    if (content.length === 0) this.#refuseEmpty(i);
    for (let k = 0; k < content.length; k++) this.#parts.judge({ i, k, role, count: content.length }, content[k]);
    if (content.some((part) => isCall(part) || (role === 'user' && isClientResult(part)))) this.#usesTools = true;
    if (role === 'user') this.#judgeResults(i, content);
    else this.#judgeCalls(i, content);
  }

  #refuseEmpty(i: number): void {
    const text =
      `The content field in the Message object at messages.${i} is empty. Add a ContentBlock object to the content ` +
      'field and try again.';
    this.#docket.refuse('br-content-empty', `/${i}/content`, text);
  }

  #scanTexts(i: number, message: JsonObject): void {
    const scan = this.#scan;
    scan.scan(message);
    if (scan.unreadable) this.#docket.refuse('shape', `/${i}`, `messages.${i}: cannot be written as JSON`);
    if (scan.lone)
      this.#docket.refuse('an-json-utf16', `/${i}${findLone(message) ?? ''}`, 'no low surrogate in string');
    scan.unreadable = false;
    scan.lone = false;
  }

  #judgeCalls(i: number, content: readonly unknown[]): void {
    if (this.#asked !== undefined && this.#asked.size > 0) this.#refuseOpen(i, this.#asked);
    const asked: Asked = new Set();
    const twice = new Set<string>();
    let called = -1;
    for (const [k, part] of content.entries()) {
      const id = clientCallId(part);
      if (id !== undefined && asked.has(id)) twice.add(id);
      if (id !== undefined) asked.add(id);
      if (isCall(part)) called = k;
      else if (called >= 0 && this.#profile.claude !== undefined) {
        const text = `${PREFIX}messages.${i}: nothing but tool_use may follow a tool_use`;
        this.#docket.refuse('br-passthrough', `/${i}/content/${k}`, text);
        break;
      }
    }
    if (twice.size > 0) {
      const text = `The toolUse blocks at messages.${i}.content contain duplicate Ids: ${[...twice].join(', ')}`;
      this.#docket.refuse('br-dup', `/${i}/content`, text);
    }
    this.#judgeReasoningPlaces(i, content);
    this.#asked = asked;
  }

  #judgeReasoningPlaces(i: number, content: readonly unknown[]): void {
    const { claude } = this.#profile;
    if (claude === undefined) return;
    const thinks = content.map((part) => memberOf(part) === 'reasoningContent');
    if (thinks.at(-1) === true) {
      const text = `${PREFIX}messages.${i}: The final block in an assistant message cannot be \`thinking\`.`;
      this.#docket.refuse('br-passthrough', `/${i}/content/${thinks.length - 1}`, text);
    }
    if (!claude.thinkingFirst || !thinks.includes(true) || thinks[0] === true) return;
    const text =
      `${PREFIX}messages.${i}: If an assistant message contains any thinking blocks, the first block must be ` +
      '`thinking` or `redacted_thinking`.';
    this.#docket.refuse('br-passthrough', `/${i}/content/0`, text);
  }

  #judgeResults(i: number, content: readonly unknown[]): void {
    const open: Asked = new Set(this.#asked);
    let excess = false;
    for (const part of content) {
      if (!isClientResult(part)) continue;
      const id = resultId(part);
      if (id === undefined || !open.delete(id)) excess = true;
    }
    if (open.size > 0) this.#refuseOpen(i, open);
    if (excess) {
      const text =
        `The number of toolResult blocks at messages.${i}.content exceeds the number of toolUse blocks of previous ` +
        'turn.';
      this.#docket.refuse('br-excess', `/${i}/content`, text);
    }
    this.#judgeMixture(i, content);
    this.#asked = undefined;
  }

  #judgeMixture(i: number, content: readonly unknown[]): void {
    const results = content.map(isClientResult);
    const last = results.lastIndexOf(true);
    if (last < 0) return;
    const others = content.some((part, k) => results[k] === false && memberOf(part) !== 'cachePoint');
    if (others && !this.#profile.mixes) {
      const where = `messages.${i}.content`;
      const text = `${where}: Conversation blocks and tool result blocks cannot be provided in the same turn.`;
      this.#docket.refuse('br-mixed', `/${i}/content`, text);
    } else if (this.#profile.claude !== undefined && results.indexOf(false) >= 0 && results.indexOf(false) < last) {
      const text = `${PREFIX}messages.${i}: tool_result blocks come before all other content`;
      this.#docket.refuse('br-passthrough', `/${i}/content`, text);
    }
  }

  #refuseOpen(at: number, open: Asked): void {
    const text = `Expected toolResult blocks at messages.${at}.content for the following Ids: ${[...open].join(', ')}`;
    this.#docket.refuse('br-answered', at < this.#matter.list.length ? `/${at}` : '', text);
  }

  #judgeCachePoints(): void {
    const { body, list } = this.#matter;
    if (this.#profile.claude === undefined) return;
    const config = isObject(body?.toolConfig) ? body.toolConfig.tools : undefined;
    const contents = list.map((message) => (isObject(message) ? message.content : undefined));
    const lists = [config, body?.system, ...contents].filter((each) => Array.isArray(each));
    const count = lists.flat().filter((part) => memberOf(part) === 'cachePoint').length;
    if (count <= MAX_CACHE_POINTS) return;
    const text = `${PREFIX}A maximum of ${MAX_CACHE_POINTS} blocks with cache_control may be provided. Found ${count}.`;
    this.#docket.refuse('br-passthrough', '', text);
  }

  #judgeRequest(): void {
    const { list, body } = this.#matter;
    if (list.length === 0) this.#docket.refuse('br-first-user', '', FIRST);
    if (body !== undefined && this.#usesTools && !declaresTools(body)) {
      const text = 'The toolConfig field must be defined when using toolUse and toolResult content blocks.';
      this.#docket.refuse('br-toolconfig', '', text);
    }
    const last = list.at(-1);
    if (isObject(last) && last.role === 'assistant') this.#judgeEnd(list.length - 1, last);
    if (body !== undefined) this.#judgeThinking(body);
  }

  #judgeEnd(i: number, { content }: JsonObject): void {
    const { claude } = this.#profile;
    const { body } = this.#matter;
    const refuse = (text: string): void => this.#docket.refuse('br-last', `/${i}`, text);
    if (claude?.prefill !== true) {
      refuse('This model does not support assistant message prefill. The conversation must end with a user message.');
    } else if (body !== undefined && (declaresTools(body) || thinkingOf(body) !== 'off')) {
      refuse('Your API request included an `assistant` message in the final position, which is not supported.');
    } else {
      const part: unknown = Array.isArray(content) ? content.at(-1) : undefined;
      const text = isObject(part) ? part.text : undefined;
      if (typeof text === 'string' && text.trim() !== '' && text !== text.trimEnd()) {
        refuse('messages: final assistant content cannot end with trailing whitespace');
      }
    }
  }

  /** With thinking enabled the step that is being continued opens with it. */
  #judgeThinking(body: JsonObject): void {
    const { list } = this.#matter;
    const [asked, answer] = list.slice(-2);
    if (this.#profile.claude === undefined || thinkingOf(body) !== 'enabled') return;
    if (!isObject(asked) || asked.role !== 'assistant' || !Array.isArray(asked.content)) return;
    if (!isObject(answer) || answer.role !== 'user' || !Array.isArray(answer.content)) return;
    if (!asked.content.some((part) => clientCallId(part) !== undefined)) return;
    if (!answer.content.every((part) => isClientResult(part))) return;
    if (memberOf(asked.content[0]) === 'reasoningContent') return;
    const text = `${PREFIX}messages.${list.length - 2}: Expected \`thinking\` or \`redacted_thinking\`.`;
    this.#docket.refuse('br-passthrough', `/${list.length - 2}`, text);
  }
}

function declaresTools(body: JsonObject): boolean {
  const config = body.toolConfig;
  return isObject(config) && Array.isArray(config.tools) && config.tools.length > 0;
}

function thinkingOf(body: JsonObject): 'off' | 'enabled' | 'adaptive' {
  const fields = body.additionalModelRequestFields;
  const thinking = isObject(fields) ? fields.thinking : undefined;
  const type = isObject(thinking) ? thinking.type : undefined;
  return type === 'enabled' || type === 'adaptive' ? type : 'off';
}
