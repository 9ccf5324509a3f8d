import type { InMemoryDialect } from './dialects.ts';
import type { Entry, Result } from './entries.ts';

type Fields = Record<string, unknown>;
type Render = (entries: readonly Entry[]) => Fields[];

/** How each framework writes a clean history when it is saved. */
export const inMemoryRenderers: Record<InMemoryDialect, Render> = {
  'pydantic-ai': (entries) => entries.map(renderPydantic),
  'ai-sdk-model': (entries) => entries.map(renderModelMessage),
  'ai-sdk-ui': renderUiMessages,
  langchain: (entries) => entries.flatMap(renderLangChain),
  'openai-agents': (entries) => entries.flatMap(renderAgents),
};

const timestamp = '2026-03-01T12:00:00.000000Z';

function renderPydantic(entry: Entry): Fields {
  switch (entry.kind) {
    case 'user':
      return { parts: [{ content: entry.text, timestamp, part_kind: 'user-prompt' }], kind: 'request' };
    case 'results': {
      const parts = entry.results.map(({ id, name, content }) => ({
        tool_name: name,
        content,
        tool_call_id: id,
        timestamp,
        part_kind: 'tool-return',
      }));
      return { parts, kind: 'request' };
    }
    default: {
      const { text, calls } = answerOf(entry);
      const parts: Fields[] = [{ content: text, part_kind: 'text' }];
      for (const { id, name, input } of calls) {
        parts.push({ tool_name: name, args: JSON.stringify(input), tool_call_id: id, part_kind: 'tool-call' });
      }
      return { parts, model_name: 'a-model', timestamp, kind: 'response' };
    }
  }
}

/** Clean histories have no empty answer. */
function answerOf(entry: Entry): Extract<Entry, { kind: 'assistant' }> {
  if (entry.kind !== 'assistant') throw new Error('only clean histories are written in these dialects');
  return entry;
}

function renderModelMessage(entry: Entry): Fields {
  switch (entry.kind) {
    case 'user':
      return { role: 'user', content: entry.text };
    case 'results': {
      const content = entry.results.map(({ id, name, content: value }) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: { type: 'text', value },
      }));
      return { role: 'tool', content };
    }
    default: {
      const { text, calls } = answerOf(entry);
      const content: Fields[] = [{ type: 'text', text }];
      for (const { id, name, input } of calls) {
        content.push({ type: 'tool-call', toolCallId: id, toolName: name, input });
      }
      return { role: 'assistant', content };
    }
  }
}

/** All steps of an answer are one message, and a call and its result are one part of it. */
function renderUiMessages(entries: readonly Entry[]): Fields[] {
  const messages: Fields[] = [];
  let parts: Fields[] = [];
  entries.forEach((entry, index) => {
    const id = `msg-${index}`;
    if (entry.kind === 'user') {
      messages.push({ id, role: 'user', parts: [{ type: 'text', text: entry.text }] });
      parts = [];
    } else if (entry.kind !== 'results') {
      if (parts.length === 0) messages.push({ id, role: 'assistant', parts });
      const next = entries[index + 1];
      parts.push({ type: 'step-start' }, ...uiParts(entry, next?.kind === 'results' ? next.results : []));
    }
  });
  return messages;
}

function uiParts(entry: Entry, results: readonly Result[]): Fields[] {
  const { text, calls } = answerOf(entry);
  const tools = calls.map(({ id, name, input }, at) => {
    const output = results[at]?.content;
    return { type: `tool-${name}`, toolCallId: id, state: 'output-available', input, output };
  });
  return [{ type: 'text', text, state: 'done' }, ...tools];
}

function renderLangChain(entry: Entry): Fields[] {
  switch (entry.kind) {
    case 'user':
      return [{ type: 'human', content: entry.text, additional_kwargs: {}, response_metadata: {} }];
    case 'results':
      return entry.results.map(({ id, name, content }) => ({ type: 'tool', content, name, tool_call_id: id }));
    default: {
      const { text, calls } = answerOf(entry);
      const listed = calls.map(({ id, name, input }) => ({ name, args: input, id, type: 'tool_call' }));
      return [{ type: 'ai', content: text, tool_calls: listed, additional_kwargs: {}, response_metadata: {} }];
    }
  }
}

function renderAgents(entry: Entry): Fields[] {
  const status = 'completed';
  switch (entry.kind) {
    case 'user':
      return [{ type: 'message', role: 'user', content: entry.text }];
    case 'results':
      return entry.results.map(({ id, name, content }) => {
        const output = { type: 'text', text: content };
        return { type: 'function_call_result', name, callId: id, status, output };
      });
    default: {
      const { text, calls } = answerOf(entry);
      const content = [{ type: 'output_text', text }];
      const listed = calls.map(({ id, name, input }) => {
        return { type: 'function_call', callId: id, name, status, arguments: JSON.stringify(input) };
      });
      return [{ type: 'message', role: 'assistant', status, content }, ...listed];
    }
  }
}
