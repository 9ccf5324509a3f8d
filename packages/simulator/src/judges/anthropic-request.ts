import { judgeFields } from './anthropic-fields.ts';
import type { Hearing } from './anthropic-hearing.ts';
import { isServerResult, isThinking } from './anthropic-kinds.ts';
import type { Turns } from './anthropic-turns.ts';
import { isObject, type JsonObject } from './docket.ts';
import type { ClaudeProfile } from './model-profile.ts';

const MAX_MESSAGES = 100_000;
const PREFILLED =
  'Your API request included an `assistant` message in the final position, ' +
  'which would pre-fill the `assistant` response. ';

/** Rows that concern the end of the conversation and the fields beside the list; they bind requests only. */
export function judgeRequest(hearing: Hearing, turns: Turns): void {
  const { docket, matter } = hearing;
  const { body, list } = matter;
  if (list.length === 0) {
    docket.refuse('an-messages-nonempty', '', 'messages: at least one message is required');
  } else if (list.length > MAX_MESSAGES) {
    const text = `messages: List should have at most ${MAX_MESSAGES} items after validation, not ${list.length}`;
    docket.refuse('an-count', '', text);
  }
  judgePrefill(hearing, turns);
  if (body === undefined) return;
  const tools: readonly unknown[] = Array.isArray(body.tools) ? body.tools : [];
  if (tools.length === 0 && hearing.firstToolPart !== undefined) {
    const text = 'Requests which include `tool_use` or `tool_result` blocks must define tools.';
    docket.refuse('an-tools-defined', hearing.firstToolPart, text);
  }
  if (hearing.serverUses.length > 0) judgeDeclared(hearing, turns, tools);
  if (hearing.mentions.length > 0) judgeMentions(hearing, tools);
  judgeThinkingFirst(hearing, turns, body);
  judgeFields(hearing, body);
}

/** Cache markers outside the list, which share the limit with those inside. */
export function markersBeside(body: JsonObject): number {
  let count = 0;
  for (const field of [body.tools, body.system]) {
    if (!Array.isArray(field)) continue;
    for (const entry of field) {
      if (isObject(entry) && entry.cache_control !== undefined && entry.cache_control !== null) count++;
    }
  }
  return count;
}

function judgePrefill(hearing: Hearing, turns: Turns): void {
  const { docket, matter, profile } = hearing;
  const last = matter.list.length - 1;
  const message = matter.list[last];
  if (!isObject(message) || message.role !== 'assistant') return;
  // A paused turn is sent back as it is, also to models that take no prefill.
  const { lastType } = turns;
  if (isServerResult(lastType) || lastType === 'server_tool_use' || lastType === 'mcp_tool_use') return;
  const at = `/${last}`;
  if (!profile.prefill) {
    docket.refuse(
      'an-prefill',
      at,
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
    return;
  }
  const reasons = prefillReasons(matter.body, profile);
  for (const [row, reason] of reasons) {
    docket.refuse(
      row,
      at,
      `${PREFILLED}When using ${reason}, pre-filling the \`assistant\` response is not supported.`,
    );
  }
  if (reasons.length === 0 && endsInWhitespace(message.content)) {
    docket.refuse('an-prefill-ws', at, 'messages: final assistant content cannot end with trailing whitespace');
  }
}

type PrefillReason = ['an-prefill-tools' | 'an-prefill-thinking', string];

function prefillReasons(body: JsonObject | undefined, profile: ClaudeProfile): PrefillReason[] {
  const reasons: PrefillReason[] = [];
  if (body === undefined) return reasons;
  const format = body.output_format ?? (isObject(body.output_config) ? body.output_config.format : undefined);
  if (!profile.prefillWithTools) {
    if (Array.isArray(body.tools) && body.tools.length > 0) reasons.push(['an-prefill-tools', 'tools']);
    else if (isObject(format)) reasons.push(['an-prefill-tools', 'output format']);
  }
  const mode = thinkingMode(body);
  if (mode === 'enabled' || mode === 'adaptive') reasons.push(['an-prefill-thinking', 'thinking']);
  return reasons;
}

const thinkingMode = (body: JsonObject): unknown => (isObject(body.thinking) ? body.thinking.type : undefined);

function endsInWhitespace(content: unknown): boolean {
  const last: unknown = Array.isArray(content) ? content.at(-1) : { type: 'text', text: content };
  if (!isObject(last) || last.type !== 'text' || typeof last.text !== 'string') return false;
  return last.text.at(-1)?.trim() === '';
}

function judgeDeclared(hearing: Hearing, turns: Turns, tools: readonly unknown[]): void {
  const declared = new Set<unknown>();
  for (const tool of tools) {
    if (!isObject(tool) || typeof tool.type !== 'string' || tool.type === 'custom') continue;
    if (typeof tool.name === 'string') declared.add(tool.name);
    // Code runs under names of its own, also on behalf of the web tools that filter their finds with it.
    if (!/^(code_execution_|web_(search|fetch)_202[6-9])/.test(tool.type)) continue;
    for (const implied of ['code_execution', 'bash_code_execution', 'text_editor_code_execution'])
      declared.add(implied);
  }
  for (const use of hearing.serverUses) {
    if (declared.has(use.name)) continue;
    const name = String(use.name);
    const pointer = `/${use.message}/content/${use.part}`;
    if (turns.role === 'assistant' && turns.openServer.get(use.id) === use) {
      hearing.docket.refuse('an-pause-resume', pointer, `but no \`${name}\` tool was provided`);
      continue;
    }
    const text = `server_tool_use block references ${name}, but ${name} is not defined in tools as a server tool`;
    hearing.docket.refuse('an-server-declared', pointer, text);
  }
}

function judgeMentions(hearing: Hearing, tools: readonly unknown[]): void {
  const declared = new Set<unknown>();
  for (const tool of tools) {
    if (!isObject(tool)) continue;
    // A whole MCP server is declared without the names of its tools, so nothing can be said about them.
    if (tool.type === 'mcp_toolset') return;
    declared.add(tool.name);
  }
  for (const { name, pointer } of hearing.mentions) {
    if (declared.has(name)) continue;
    hearing.docket.refuse('an-toolref', pointer, `the tool ${String(name)} is referred to but not declared in tools`);
  }
}

function judgeThinkingFirst(hearing: Hearing, turns: Turns, body: JsonObject): void {
  const last = hearing.matter.list.at(-1);
  if (thinkingMode(body) !== 'enabled') return;
  if (!isObject(last) || last.role !== 'user') return;
  if (turns.callCount === 0 || turns.resultCount === 0 || turns.otherCount > 0 || isThinking(turns.firstType)) return;
  const start = turns.firstMessage;
  hearing.docket.refuse(
    'an-think-first',
    `/${start}`,
    `messages.${start}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, ` +
      `but found \`${turns.firstType}\`. ` +
      'When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the ' +
      'lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous ' +
      'turns. To avoid this requirement, disable `thinking`.',
  );
}
