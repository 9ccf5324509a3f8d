import type { Hearing } from './anthropic-hearing.ts';
import { isServerResult, isThinking, judgePart, refuseBlank } from './anthropic-parts.ts';
import { judgeRequest, markersBeside } from './anthropic-request.ts';
import type { AnthropicRow } from './anthropic-rows.ts';
import { Turns } from './anthropic-turns.ts';
import { type Docket, isObject, type JsonObject, type Matter } from './docket.ts';
import { claudeProfile } from './model-profile.ts';
import { findLone, TextScan } from './text-scan.ts';

export { ANTHROPIC_CHECKS } from './anthropic-rows.ts';

const MAX_MESSAGES = 100_000;
const MAX_MARKERS = 4;

/** Judges a history or a request of the Anthropic Messages API. */
export function judgeAnthropicMessages(matter: Matter, docket: Docket<AnthropicRow>): void {
  new Walk(matter, docket).run();
}

class Walk {
  readonly #hearing: Hearing;
  readonly #turns: Turns;
  readonly #scan = new TextScan();
  #firstSeen = false;
  #leadingSystem = false;
  /** Last message of the system run the walk is in, or -1. */
  #systemRun = -1;

  constructor(matter: Matter, docket: Docket<AnthropicRow>) {
    this.#hearing = {
      docket,
      matter,
      profile: claudeProfile(matter.model),
      message: 0,
      part: -1,
      inner: -1,
      markers: 0,
      images: 0,
      firstToolPart: undefined,
      serverUses: [],
      mentions: [],
    };
    this.#turns = new Turns(this.#hearing);
  }

  run(): void {
    const { docket, matter } = this.#hearing;
    const { messages, body } = matter;
    for (let i = 0; i < messages.length; i++) this.#judgeMessage(i, messages[i]);
    this.#turns.end();
    const judgesBeside = matter.purpose === 'request' && body !== undefined;
    this.#judgeTotals(judgesBeside ? markersBeside(body) : 0);
    if (matter.purpose === 'request' && messages.length > MAX_MESSAGES)
      docket.refuse('an-count', '', 'messages: more than 100000 messages');
    if (matter.purpose === 'request') judgeRequest(this.#hearing, this.#turns, this.#scan);
  }

  #judgeTotals(markersOutside: number): void {
    const { docket, profile, images } = this.#hearing;
    const markers = this.#hearing.markers + markersOutside;
    if (markers > MAX_MARKERS) {
      const text = `A maximum of 4 blocks with cache_control may be provided. Found ${markers}.`;
      docket.refuse('an-cache-max4', '', text);
    }
    if (images > profile.maxImages) docket.refuse('an-images', '', 'many-image requests');
  }

  #judgeMessage(i: number, message: unknown): void {
    const hearing = this.#hearing;
    hearing.message = i;
    hearing.part = -1;
    if (!isObject(message)) {
      hearing.docket.refuse('shape', `/${i}`, `messages.${i}: expected an object`);
      return;
    }
    this.#scanTexts(i, message);
    for (const key in message) {
      if (key === 'role' || key === 'content' || key === 'output_config' || key === 'clear_at') continue;
      if (message[key] === undefined) continue;
      hearing.docket.refuse('an-extra-keys', `/${i}`, `messages.${i}.${key}: Extra inputs are not permitted`);
    }
    const { role } = message;
    if (role === 'user' || role === 'assistant') {
      this.#enter(i, role);
      this.#judgeContent(message.content, role);
    } else if (role === 'system') this.#judgeSystem(i, message);
    else hearing.docket.refuse('an-role-enum', `/${i}/role`, `messages.${i}.role: expected user, assistant or system`);
  }

  #scanTexts(i: number, message: JsonObject): void {
    const scan = this.#scan;
    scan.scan(message);
    if (scan.unreadable) {
      scan.unreadable = false;
      this.#hearing.docket.refuse('shape', `/${i}`, `messages.${i}: cannot be written as JSON`);
    }
    if (!scan.lone) return;
    scan.lone = false;
    this.#hearing.docket.refuse('an-json-utf16', `/${i}${findLone(message) ?? ''}`, 'no low surrogate in string');
  }

  #enter(i: number, role: 'user' | 'assistant'): void {
    const { docket, profile } = this.#hearing;
    if (!this.#firstSeen && role !== 'user' && profile.firstMustBeUser) {
      docket.refuse('an-first-user', `/${i}`, 'messages: first message must use the "user" role');
    }
    if (this.#firstSeen && this.#systemRun >= 0 && role === 'user') {
      docket.refuse(
        'an-system-after',
        `/${this.#systemRun}`,
        `messages.${this.#systemRun}: role 'system' must precede an 'assistant' message or end the array; ` +
          'the directive-only form (content: [] with output_config) is accepted at any position',
      );
    }
    this.#firstSeen = true;
    this.#systemRun = -1;
    this.#turns.enter(role);
  }

  #judgeSystem(i: number, message: JsonObject): void {
    const { docket, profile } = this.#hearing;
    const { content } = message;
    if (Array.isArray(content) && content.length === 0 && isObject(message.output_config)) return;
    if (!this.#firstSeen) {
      const text = `messages.${i}: use the top-level 'system' parameter for the initial system prompt`;
      if (!this.#leadingSystem) docket.refuse('an-system-first', `/${i}`, text);
      this.#leadingSystem = true;
    } else {
      if (!profile.midSystem) {
        docket.refuse('an-system-model', `/${i}`, "role 'system' is not supported on this model");
      }
      const follows = this.#turns.role === 'user' || isServerResult(this.#turns.lastType);
      if (this.#systemRun < 0 && !follows) {
        docket.refuse(
          'an-system-before',
          `/${i}`,
          `messages.${i}: role 'system' must follow a 'user' message or an 'assistant' message ending in a server ` +
            'tool result; the directive-only form (content: [] with output_config) is accepted at any position',
        );
      }
    }
    this.#systemRun = i;
    this.#turns.systemMessage();
    this.#judgeContent(content, 'system');
  }

  #judgeContent(content: unknown, role: 'user' | 'assistant' | 'system'): void {
    const hearing = this.#hearing;
    const i = hearing.message;
    if (typeof content === 'string') {
      if (content === '') this.#judgeEmpty(role);
      else {
        refuseBlank(hearing, content);
        if (role === 'assistant') this.#turns.assistantPart('text');
        else if (role === 'user') this.#turns.otherUserPart();
      }
    } else if (!Array.isArray(content)) {
      hearing.docket.refuse('shape', `/${i}/content`, `messages.${i}.content: expected a string or a list`);
    } else if (content.length === 0) this.#judgeEmpty(role);
    else {
      const subject = { part: undefined as unknown, role };
      for (let k = 0; k < content.length; k++) {
        hearing.part = k;
        subject.part = content[k];
        judgePart(hearing, this.#turns, subject);
      }
      if (role === 'assistant') this.#judgeThinkingPlaces(content);
    }
  }

  #judgeEmpty(role: 'user' | 'assistant' | 'system'): void {
    const { docket, matter, message } = this.#hearing;
    if (role === 'system') {
      const text = `messages.${message}: system content must contain at least one block`;
      docket.refuse('an-system-empty', `/${message}`, text);
    } else if (role === 'user' || message < matter.messages.length - 1) {
      docket.refuse(
        'an-content-nonempty',
        `/${message}`,
        `messages.${message}: all messages must have non-empty content ` +
          'except for the optional final assistant message',
      );
    }
  }

  #judgeThinkingPlaces(content: readonly unknown[]): void {
    const { docket, message, profile } = this.#hearing;
    if (isThinking(typeOf(content.at(-1)))) {
      const text = `messages.${message}: The final block in an assistant message cannot be \`thinking\`.`;
      docket.refuse('an-think-not-last', `/${message}/content/${content.length - 1}`, text);
    }
    if (!profile.thinkingFirst) return;
    const first = typeOf(content[0]);
    if (isThinking(first) || !content.some((part) => isThinking(typeOf(part)))) return;
    docket.refuse(
      'an-think-first-block',
      `/${message}/content/0`,
      'If an assistant message contains any thinking blocks, the first block must be `thinking` or ' +
        `\`redacted_thinking\`. Found \`${first}\`.`,
    );
  }
}

const typeOf = (part: unknown): string => (isObject(part) && typeof part.type === 'string' ? part.type : '');
