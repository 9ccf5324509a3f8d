import type { Hearing } from './anthropic-hearing.ts';
import { isServerResult, isThinking } from './anthropic-kinds.ts';
import { judgePart, refuseBlank } from './anthropic-parts.ts';
import { judgeRequest, markersBeside } from './anthropic-request.ts';
import type { AnthropicRow } from './anthropic-rows.ts';
import { judgeSeals } from './anthropic-seals.ts';
import { Turns } from './anthropic-turns.ts';
import { type Docket, isObject, type JsonObject, type Matter } from './docket.ts';
import { claudeProfile } from './model-profile.ts';
import { escapeToken, findLone, TextScan } from './text-scan.ts';

export { ANTHROPIC_CHECKS, anthropicStage } from './anthropic-rows.ts';

const MAX_MARKERS = 4;

/** Judges a history or a request of the Anthropic Messages API. */
export function judgeAnthropicMessages(matter: Matter, docket: Docket<AnthropicRow>): void {
  new Walk(matter, docket).run();
}

class Walk {
  readonly #hearing: Hearing;
  readonly #turns: Turns;
  #firstSeen = false;
  #leadingSystem = false;
  /** Last message of the system run the walk is in, or -1. */
  #systemRun = -1;

  constructor(matter: Matter, docket: Docket<AnthropicRow>) {
    this.#hearing = {
      docket,
      matter,
      profile: claudeProfile(matter.model, matter.strict),
      scan: new TextScan(),
      message: 0,
      part: -1,
      inner: -1,
      markers: 0,
      images: 0,
      firstToolPart: undefined,
      serverUses: [],
      mentions: [],
      sealed: [],
    };
    this.#turns = new Turns(this.#hearing);
  }

  run(): void {
    const { matter } = this.#hearing;
    const { list, body } = matter;
    for (let i = 0; i < list.length; i++) this.#judgeMessage(i, list[i]);
    this.#turns.end();
    const asks = matter.purpose === 'request';
    this.#judgeTotals(asks && body !== undefined ? markersBeside(body) : 0);
    if (asks) judgeRequest(this.#hearing, this.#turns);
    if (matter.seals !== undefined) judgeSeals(this.#hearing, this.#turns.firstMessage);
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
    const { docket, scan } = hearing;
    hearing.message = i;
    hearing.part = -1;
    if (!isObject(message)) {
      scan.scan(message);
      docket.refuse('shape', `/${i}`, `messages.${i}: Input should be a valid dictionary`);
    } else {
      for (const key in message) if (key !== 'role' && key !== 'content') this.#judgeKey(key, message[key]);
      const { role, content } = message;
      if (role === 'user' || role === 'assistant') {
        this.#enter(i, role);
        this.#judgeContent(content, role);
      } else if (role === 'system') this.#judgeSystem(i, message);
      else {
        scan.scan(role);
        scan.scan(content);
        docket.refuse('an-role-enum', `/${i}/role`, `messages.${i}.role: ${roleFault(role)}`);
      }
    }
    if (scan.lone || scan.unreadable) this.#refuseUnwritable(i, message);
  }

  #judgeKey(key: string, value: unknown): void {
    const { docket, message, scan } = this.#hearing;
    scan.text(key);
    scan.scan(value);
    if (key === 'output_config' || key === 'clear_at' || value === undefined) return;
    const text = `messages.${message}.${key}: Extra inputs are not permitted`;
    docket.refuse('an-extra-keys', `/${message}/${escapeToken(key)}`, text);
  }

  #refuseUnwritable(i: number, message: unknown): void {
    const { docket, scan } = this.#hearing;
    if (scan.unreadable) docket.refuse('shape', `/${i}`, `messages.${i}: cannot be written as JSON`);
    if (scan.lone) docket.refuse('an-json-utf16', `/${i}${findLone(message) ?? ''}`, 'no low surrogate in string');
    scan.unreadable = false;
    scan.lone = false;
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
    // Directions alone are no message: they may stand anywhere, and turns are read through them.
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
      hearing.scan.text(content);
      if (content === '') this.#judgeEmpty(role);
      else {
        refuseBlank(hearing, content);
        if (role === 'assistant') this.#turns.assistantPart('text');
        else if (role === 'user') this.#turns.otherUserPart();
      }
    } else if (!Array.isArray(content)) {
      hearing.scan.scan(content);
      const fault = content === undefined ? 'Field required' : 'Input should be a valid list';
      hearing.docket.refuse('shape', `/${i}/content`, `messages.${i}.content: ${fault}`);
    } else if (content.length === 0) this.#judgeEmpty(role);
    else {
      const bench = { hearing, turns: this.#turns, content, role };
      for (let k = 0; k < content.length; k++) {
        hearing.part = k;
        judgePart(bench, content[k]);
      }
      if (role === 'assistant') this.#judgeThinkingPlaces(content);
    }
  }

  #judgeEmpty(role: 'user' | 'assistant' | 'system'): void {
    const { docket, matter, message } = this.#hearing;
    if (role === 'system') {
      const text = `messages.${message}: system content must contain at least one block`;
      docket.refuse('an-system-empty', `/${message}`, text);
    } else if (role === 'user' || message < matter.list.length - 1) {
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
    if (isThinking(first) || !holdsThinking(content)) return;
    docket.refuse(
      'an-think-first-block',
      `/${message}/content/0`,
      'If an assistant message contains any thinking blocks, the first block must be `thinking` or ' +
        `\`redacted_thinking\`. Found \`${first}\`.`,
    );
  }
}

function holdsThinking(content: readonly unknown[]): boolean {
  for (const part of content) if (isThinking(typeOf(part))) return true;
  return false;
}

const roleFault = (role: unknown): string =>
  role === undefined ? 'Field required' : "Input should be 'user', 'assistant' or 'system'";

const typeOf = (part: unknown): string => (isObject(part) && typeof part.type === 'string' ? part.type : '');
