import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { ModelMessage, UIMessage } from 'ai';
import type { OpenAiCall, OpenAiMessage } from './wire-shapes.ts';

type UiPart = UIMessage['parts'][number];
type ToolOutputs = ReadonlyMap<string, string>;

/**
 * UI messages hold a call and its result in one part, so orphans, duplicates and late results cannot stand in them:
 * this adapter loses those before the peer sees them.
 */
export function toUiMessages(messages: readonly OpenAiMessage[]): UIMessage[] {
  const ui: UIMessage[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'tool') return;
    if (message.role === 'user') {
      ui.push({ id: `m${index}`, role: 'user', parts: [{ type: 'text', text: message.content }] });
      return;
    }
    const outputs = outputsAfter(messages, index);
    const parts: UiPart[] = [{ type: 'step-start' }];
    if (message.content !== null) parts.push({ type: 'text', text: message.content, state: 'done' });
    parts.push(...(message.tool_calls ?? []).map((call) => toUiPart(call, outputs)));
    const previous = ui.at(-1);
    if (previous?.role === 'assistant') previous.parts.push(...parts);
    else ui.push({ id: `m${index}`, role: 'assistant', parts });
  });
  return ui;
}

function outputsAfter(messages: readonly OpenAiMessage[], index: number): ToolOutputs {
  const outputs = new Map<string, string>();
  for (let at = index + 1; at < messages.length; at += 1) {
    const result = messages[at];
    if (result?.role !== 'tool') break;
    outputs.set(result.tool_call_id, result.content);
  }
  return outputs;
}

function toUiPart({ id, function: { name, arguments: text } }: OpenAiCall, outputs: ToolOutputs): UiPart {
  const output = outputs.get(id);
  const base = { type: 'dynamic-tool', toolName: name, toolCallId: id, input: JSON.parse(text) as unknown } as const;
  return output === undefined ? { ...base, state: 'input-available' } : { ...base, state: 'output-available', output };
}

export function fromModelMessages(messages: readonly ModelMessage[]): OpenAiMessage[] {
  return messages.flatMap((message): OpenAiMessage[] => {
    if (message.role === 'tool') {
      return message.content.flatMap((part) => {
        return part.type === 'tool-result' ? [{ role: 'tool', tool_call_id: part.toolCallId, content: 'kept' }] : [];
      });
    }
    if (message.role === 'user') return [{ role: 'user', content: JSON.stringify(message.content) }];
    if (message.role === 'system' || typeof message.content === 'string') return [];
    const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const calls = message.content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
    const content = text.length === 0 ? null : text.join('\n');
    return [
      assistant(
        content,
        calls.map(({ toolCallId, toolName }) => ({ id: toolCallId, name: toolName })),
      ),
    ];
  });
}

export function toLangChain(messages: readonly OpenAiMessage[]): BaseMessage[] {
  return messages.map((message) => {
    if (message.role === 'user') return new HumanMessage(message.content);
    if (message.role === 'tool')
      return new ToolMessage({ content: message.content, tool_call_id: message.tool_call_id });
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => {
      return { id, name, args: JSON.parse(text) as Record<string, unknown> };
    });
    return new AIMessage({ content: message.content ?? '', tool_calls: calls });
  });
}

export function fromLangChain(messages: readonly BaseMessage[]): OpenAiMessage[] {
  return messages.map((message): OpenAiMessage => {
    if (ToolMessage.isInstance(message)) {
      return { role: 'tool', tool_call_id: message.tool_call_id, content: message.text };
    }
    if (!AIMessage.isInstance(message)) return { role: 'user', content: message.text };
    const calls = (message.tool_calls ?? []).map(({ id = '', name }) => ({ id, name }));
    return assistant(message.text === '' ? null : message.text, calls);
  });
}

function assistant(content: string | null, calls: readonly { id: string; name: string }[]): OpenAiMessage {
  if (calls.length === 0) return { role: 'assistant', content };
  const tool_calls = calls.map(({ id, name }): OpenAiCall => {
    return { id, type: 'function', function: { name, arguments: '{}' } };
  });
  return { role: 'assistant', content, tool_calls };
}
