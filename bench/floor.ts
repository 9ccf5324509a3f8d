import type { AnthropicMessage, BenchDialect, BenchMessage, OpenAiMessage, ResultPart } from './histories.ts';
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

// Kept between calls and overwritten, not emptied, so that a check allocates nothing. A turn holds few calls, so
// a linear search beats a map.
const calls: string[] = [];
const answered: boolean[] = [];
let count = 0;
let open = 0;
let seenOther = false;
let seenCall = false;

function startTurn(): void {
  count = 0;
  open = 0;
  seenCall = false;
}

function openCall(id: string): number {
  const faults = indexOfCall(id) === -1 ? 0 : 1;
  calls[count] = id;
  answered[count] = false;
  count += 1;
  open += 1;
  return faults;
}

function indexOfCall(id: string): number {
  for (let index = 0; index < count; index += 1) if (calls[index] === id) return index;
  return -1;
}

/** Marks one call answered; an unknown id and a second answer are a fault each. */
function answer(id: string): number {
  const index = indexOfCall(id);
  if (index === -1 || answered[index] === true) return 1;
  answered[index] = true;
  open -= 1;
  return 0;
}

function checkAnthropic(messages: readonly AnthropicMessage[]): number {
  let faults = 0;
  let inUserTurn = false;
  startTurn();
  for (const { role, content } of messages) {
    if (content.length === 0) {
      faults += 1;
      continue;
    }
    if (role === 'assistant') {
      if (inUserTurn) {
        faults += open;
        startTurn();
      }
      inUserTurn = false;
      faults += checkAssistantContent(content);
    } else {
      if (!inUserTurn) seenOther = false;
      inUserTurn = true;
      faults += checkUserContent(content);
    }
  }
  return faults + open;
}

function checkAssistantContent(content: AnthropicMessage['content']): number {
  let faults = 0;
  if (typeof content === 'string') return seenCall ? 1 : 0;
  for (const part of content) {
    if (part.type === 'tool_use') {
      faults += openCall(part.id);
      seenCall = true;
    } else if (seenCall || (part.type === 'text' && part.text.length === 0)) {
      faults += 1;
    }
  }
  return faults;
}

function checkUserContent(content: AnthropicMessage['content']): number {
  let faults = 0;
  if (typeof content === 'string') {
    seenOther = true;
    return 0;
  }
  for (const part of content) {
    if (part.type === 'tool_result') {
      faults += answer((part satisfies ResultPart).tool_use_id);
      if (seenOther) faults += 1;
    } else {
      seenOther = true;
      if (part.type === 'text' && part.text.length === 0) faults += 1;
    }
  }
  return faults;
}

function checkOpenAi(messages: readonly OpenAiMessage[]): number {
  let faults = 0;
  startTurn();
  for (const message of messages) {
    if (message.role === 'tool') {
      faults += answer(message.tool_call_id);
      continue;
    }
    faults += open;
    startTurn();
    if (message.role !== 'assistant') continue;
    if (message.tool_calls !== undefined) {
      for (const call of message.tool_calls) faults += openCall(call.id);
    } else if (message.content === null) {
      faults += 1;
    }
  }
  return faults + open;
}
