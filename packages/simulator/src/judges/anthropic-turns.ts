import { type Hearing, placeHere, pointerHere, refuseHere, type ServerUse } from './anthropic-hearing.ts';
import { CallTable } from './call-table.ts';
import type { JsonObject } from './docket.ts';

interface Call {
  readonly id: string;
  readonly message: number;
  readonly toolset: unknown;
  times: number;
  results: number;
}

const TOOLSET_CONTENT: ReadonlySet<unknown> = new Set(['text', 'image', 'browser_state']);

/**
 * Pairs calls with results, turn by turn. A turn is a run of messages of one role; system messages are looked
 * through, so an assistant turn is followed by the user turn that must answer it.
 */
export class Turns {
  role: '' | 'user' | 'assistant' = '';
  /** Types of the first and the last part of the assistant turn, for the rules on thinking and on resuming. */
  firstType = '';
  lastType = '';
  firstMessage = 0;
  callCount = 0;
  resultCount = 0;
  otherCount = 0;
  readonly openServer: Map<string, ServerUse> = new Map();
  readonly #calls = new CallTable<Call>();
  readonly #stranded: ServerUse[] = [];
  readonly #late: string[] = [];
  #latePointer = '';
  /** How many of the calls stand before a part that is no call. */
  #suffixCount = 0;
  #suffixPointer = '';
  #systemSince = false;
  readonly #hearing: Hearing;

  constructor(hearing: Hearing) {
    this.#hearing = hearing;
  }

  enter(role: 'user' | 'assistant'): void {
    if (role === this.role) return;
    if (role === 'assistant') {
      if (this.role === 'user') this.#close();
      this.#begin();
    }
    this.role = role;
  }

  systemMessage(): void {
    this.#systemSince = true;
  }

  assistantPart(type: string): void {
    if (this.firstType === '') {
      this.firstType = type;
      this.firstMessage = this.#hearing.message;
    }
    this.lastType = type;
    if (type === 'tool_use' || this.callCount === 0) return;
    // Each later offence names all calls before it, so the last one to be noted names them all.
    if (this.#suffixPointer === '') this.#suffixPointer = pointerHere(this.#hearing);
    this.#suffixCount = this.#calls.calls.length;
  }

  call(id: string, toolset: unknown): void {
    this.callCount++;
    const known = this.#calls.find(id);
    if (known === undefined) {
      this.#calls.add({ id, message: this.#hearing.message, toolset, times: 1, results: 0 });
      return;
    }
    known.times++;
    const { message, part } = this.#hearing;
    refuseHere(this.#hearing, 'an-id-unique', `messages.${message}.content.${part}: \`tool_use\` ids must be unique`);
  }

  serverCall(use: ServerUse): void {
    // A system message before it breaks nothing off.
    if (this.openServer.size === 0) this.#systemSince = false;
    const twin = this.openServer.get(use.id);
    if (twin !== undefined) this.#stranded.push(twin);
    this.openServer.set(use.id, use);
  }

  serverResult(type: string, id: string): void {
    if (this.openServer.delete(id)) return;
    const { message, part } = this.#hearing;
    const call = type === 'mcp_tool_result' ? 'mcp_tool_use' : 'server_tool_use';
    refuseHere(
      this.#hearing,
      'an-server-orphan',
      `messages.${message}.content.${part}: unexpected \`tool_use_id\` found in \`${type}\` blocks: ${id}. ` +
        `Each \`${type}\` block must have a corresponding \`${call}\` block before it.`,
    );
  }

  otherUserPart(): void {
    this.otherCount++;
  }

  result(id: string, result: JsonObject): void {
    this.resultCount++;
    const call = this.#calls.find(id);
    if (call === undefined) {
      refuseHere(
        this.#hearing,
        'an-result-orphan',
        `${placeHere(this.#hearing)}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
          'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
      );
      return;
    }
    call.results++;
    if (call.results > call.times) {
      refuseHere(
        this.#hearing,
        'an-result-dup',
        `${placeHere(this.#hearing)}: each tool_use must have a single result. ` +
          `Found multiple \`tool_result\` blocks with id: ${id}`,
      );
    } else if (this.otherCount > 0) {
      if (this.#late.length === 0) this.#latePointer = pointerHere(this.#hearing);
      this.#late.push(id);
    }
    if (call.toolset !== undefined) this.#judgeEcho(call.toolset, result);
  }

  #judgeEcho(toolset: unknown, result: JsonObject): void {
    const { content } = result;
    const foreign =
      Array.isArray(content) && content.some((inner: JsonObject | null) => !TOOLSET_CONTENT.has(inner?.type));
    if (result.toolset_name === toolset && !foreign) return;
    refuseHere(
      this.#hearing,
      'an-toolset-echo',
      'the result of a toolset member repeats its toolset_name and holds only text and images',
    );
  }

  /** Settles what is still open when the list ends. */
  end(): void {
    if (this.role !== '') this.#close(true);
  }

  #begin(): void {
    this.firstType = '';
    this.lastType = '';
    this.callCount = 0;
    this.resultCount = 0;
    this.otherCount = 0;
    this.#systemSince = false;
    this.#calls.clear();
    if (this.openServer.size > 0) this.openServer.clear();
    if (this.#stranded.length > 0) this.#stranded.length = 0;
    if (this.#late.length > 0) this.#late.length = 0;
    this.#suffixPointer = '';
  }

  #close(last = false): void {
    if (this.callCount > 0) this.#closeCalls();
    if (this.openServer.size > 0) this.#closeServerCalls(last);
    for (const use of this.#stranded) this.#refuseServerCall('an-server-pair', use);
  }

  #closeCalls(): void {
    const { docket } = this.#hearing;
    let open: Call[] | undefined;
    const { calls } = this.#calls;
    for (const call of calls) if (call.results === 0) (open ??= []).push(call);
    const start = calls[0]?.message ?? 0;
    if (this.#suffixPointer !== '') {
      const ids = calls.slice(0, this.#suffixCount).map((call) => call.id);
      docket.refuse('an-tooluse-suffix', this.#suffixPointer, unanswered(start, ids));
    }
    if (this.#late.length > 0) docket.refuse('an-result-first', this.#latePointer, unanswered(start, this.#late));
    if (open === undefined) return;
    for (const [message, calls] of Map.groupBy(open, (call) => call.message)) {
      const ids = calls.map((call) => call.id);
      docket.refuse('an-tooluse-answered', `/${message}`, unanswered(message, ids));
    }
  }

  /** An unfinished server call may wait only at the very end: alone, or behind nothing but client results. */
  #closeServerCalls(last: boolean): void {
    const replied = this.role === 'user';
    const onlyResults = this.resultCount > 0 && this.otherCount === 0;
    if (last && !this.#systemSince && (!replied || onlyResults)) return;
    const row = last && this.callCount > 0 && this.resultCount > 0 ? 'an-mixed-open' : 'an-server-pair';
    for (const use of this.openServer.values()) this.#refuseServerCall(row, use);
  }

  #refuseServerCall(row: 'an-server-pair' | 'an-mixed-open', use: ServerUse): void {
    const name = String(use.name);
    const found = `\`${name}\` tool use with id \`${use.id}\` was found`;
    const text = `${found} without a corresponding \`${resultType(name)}\` block`;
    this.#hearing.docket.refuse(row, `/${use.message}/content/${use.part}`, text);
  }
}

const resultType = (name: string): string =>
  name.startsWith('tool_search_tool_') ? 'tool_search_tool_result' : `${name}_tool_result`;

const unanswered = (message: number, ids: readonly string[]): string =>
  `messages.${message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
  `${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
