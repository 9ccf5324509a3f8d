import type { AnthropicMessage, BenchDialect, BenchMessage, OpenAiMessage } from './histories.ts';
import { minimalRepairAnthropic } from './floor-anthropic.ts';
import { minimalRepairOpenAi } from './floor-openai.ts';

/**
 * Counts pairing faults and empty messages in one pass and says nothing else: the least work that any check must do,
 * and so the floor that ours is compared with.
 */
export function pairingCheck(messages: readonly BenchMessage[], dialect: BenchDialect): number {
  return dialect === 'anthropic-messages'
    ? checkAnthropic(messages as readonly AnthropicMessage[])
    : checkOpenAi(messages as readonly OpenAiMessage[]);
}

/**
 * Repairs the planted defects in one pass, copying only what it changes. It writes no report and proves nothing about
 * its output, so no honest repair can be much faster.
 */
export function minimalRepair(messages: readonly BenchMessage[], dialect: BenchDialect): readonly BenchMessage[] {
  return dialect === 'anthropic-messages'
    ? minimalRepairAnthropic(messages as readonly AnthropicMessage[])
    : minimalRepairOpenAi(messages as readonly OpenAiMessage[]);
}

/** Calls of the turn by id, and whether each was answered: the plain way to pair, as most people would write it. */
type Calls = Map<string, boolean>;

function openCall(calls: Calls, id: string): number {
  const faults = calls.has(id) ? 1 : 0;
  calls.set(id, false);
  return faults;
}

/** Marks one call answered; an unknown id and a second answer are a fault each. */
function answer(calls: Calls, id: string): number {
  if (calls.get(id) !== false) return 1;
  calls.set(id, true);
  return 0;
}

/** Ends a turn; every call without an answer is a fault. */
function endTurn(calls: Calls): number {
  let faults = 0;
  for (const answered of calls.values()) if (!answered) faults += 1;
  calls.clear();
  return faults;
}

function checkAnthropic(messages: readonly AnthropicMessage[]): number {
  const calls: Calls = new Map();
  let faults = 0;
  let inUserTurn = false;
  let seenOther = false;
  for (const { role, content } of messages) {
    if (content.length === 0) {
      faults += 1;
    } else if (role === 'assistant') {
      if (inUserTurn) faults += endTurn(calls);
      inUserTurn = false;
      seenOther = false;
      faults += checkAssistantContent(calls, content);
    } else {
      inUserTurn = true;
      for (const part of typeof content === 'string' ? [] : content) {
        if (part.type === 'tool_result') faults += answer(calls, part.tool_use_id) + (seenOther ? 1 : 0);
        else seenOther = true;
      }
      if (typeof content === 'string') seenOther = true;
    }
  }
  return faults + endTurn(calls);
}

function checkAssistantContent(calls: Calls, content: AnthropicMessage['content']): number {
  if (typeof content === 'string') return calls.size > 0 ? 1 : 0;
  let faults = 0;
  for (const part of content) {
    if (part.type === 'tool_use') faults += openCall(calls, part.id);
    else if (calls.size > 0 || (part.type === 'text' && part.text.length === 0)) faults += 1;
  }
  return faults;
}

function checkOpenAi(messages: readonly OpenAiMessage[]): number {
  const calls: Calls = new Map();
  let faults = 0;
  for (const message of messages) {
    if (message.role === 'tool') {
      faults += answer(calls, message.tool_call_id);
      continue;
    }
    faults += endTurn(calls);
    if (message.role !== 'assistant') continue;
    if (message.tool_calls !== undefined) {
      for (const call of message.tool_calls) faults += openCall(calls, call.id);
    } else if (message.content === null) {
      faults += 1;
    }
  }
  return faults + endTurn(calls);
}
