import type { BenchDialect } from './dialects.ts';
import { minimalRepairAnthropic } from './floor-anthropic.ts';
import { answer, endTurn, openCall, type Calls } from './floor-calls.ts';
import { checkConverse, minimalRepairConverse } from './floor-converse.ts';
import { checkGemini, minimalRepairGemini } from './floor-gemini.ts';
import { checkMistral, minimalRepairOpenAi } from './floor-openai.ts';
import { checkResponses, minimalRepairResponses } from './floor-responses.ts';
import type {
  AnthropicMessage,
  BenchMessage,
  ConverseMessage,
  GeminiContent,
  OpenAiMessage,
  ResponsesItem,
} from './wire-shapes.ts';

/**
 * Counts pairing faults and empty messages in one pass and says nothing else: the least work that any check must do,
 * and so the floor that ours is compared with.
 */
export function pairingCheck(messages: readonly BenchMessage[], dialect: BenchDialect): number {
  switch (dialect) {
    case 'anthropic-messages':
      return checkAnthropic(messages as readonly AnthropicMessage[]);
    case 'openai-chat':
      return checkOpenAi(messages as readonly OpenAiMessage[]);
    case 'openai-responses':
      return checkResponses(messages as readonly ResponsesItem[]);
    case 'gemini':
      return checkGemini(messages as readonly GeminiContent[]);
    case 'bedrock-converse':
      return checkConverse(messages as readonly ConverseMessage[]);
    case 'mistral-chat':
      return checkMistral(messages as readonly OpenAiMessage[]);
  }
}

/**
 * Repairs the planted defects, copying only what it changes. It writes no report and proves nothing about its output,
 * so no honest repair can be much faster.
 */
export function minimalRepair(messages: readonly BenchMessage[], dialect: BenchDialect): readonly BenchMessage[] {
  switch (dialect) {
    case 'anthropic-messages':
      return minimalRepairAnthropic(messages as readonly AnthropicMessage[]);
    case 'openai-chat':
      return minimalRepairOpenAi(messages as readonly OpenAiMessage[]);
    case 'openai-responses':
      return minimalRepairResponses(messages as readonly ResponsesItem[]);
    case 'gemini':
      return minimalRepairGemini(messages as readonly GeminiContent[]);
    case 'bedrock-converse':
      return minimalRepairConverse(messages as readonly ConverseMessage[]);
    case 'mistral-chat':
      return minimalRepairOpenAi(messages as readonly OpenAiMessage[], 'ok');
  }
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
