import type { Case, Rule } from '../../model/rule.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { resultOf } from '../batch.ts';
import { setAside } from '../set-aside.ts';

/** A provider refuses a result whose call is nowhere before it. */
export const resultWithoutCall: Rule = {
  id: 'result-without-call',
  title: 'a result has no call',
  layer: 'pair',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'anthropic-messages': ['an-result-orphan', 'an-result-id'],
    'openai-chat': ['oc-tool-orphan', 'oc-tool-id'],
    'pydantic-ai': ['py-repair'],
  },
  trigger: 'result-unknown',
  summary:
    'The history was cut at the front, a summary swallowed the call, or an id was changed on one side only. ' +
    'The result is kept as quoted text of the user, so that the model still sees what the tool said.',
  explain: (found) => `result ${resultOf(found, found.fact).callId} answers no call`,
  providerError: {
    'anthropic-messages': (found) => {
      const { message, part = 0 } = found.fact;
      const { callId } = resultOf(found, found.fact);
      if (callId === '') {
        return `messages.${String(message)}.content.${String(part)}.tool_result.tool_use_id: Field required`;
      }
      return (
        `messages.${String(message)}.content.${String(part)}: unexpected \`tool_use_id\` found in ` +
        `\`tool_result\` blocks: ${callId}. ` +
        'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
      );
    },
    'openai-chat': (found) =>
      answersSomething(found)
        ? `Invalid parameter: 'tool_call_id' of '${resultOf(found, found.fact).callId}' not found in ` +
          `'tool_calls' of previous message.`
        : "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  },
  repair: (found) => setAside(found, 'no call with that id comes before it'),
  examples: () => [
    {
      name: 'front of the history cut away',
      dialect: 'anthropic-messages',
      before: [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_9', content: 'a.txt' }] },
        { role: 'assistant', content: 'One file.' },
      ],
      after: [
        { role: 'user', content: [{ type: 'text', text: `${TEXTS.orphan} a.txt` }] },
        { role: 'assistant', content: 'One file.' },
      ],
    },
    {
      name: 'front of the history cut away',
      dialect: 'openai-chat',
      before: [
        { role: 'tool', tool_call_id: 'call_9', content: 'a.txt' },
        { role: 'assistant', content: 'One file.' },
      ],
      after: [
        { role: 'user', content: `${TEXTS.orphan} a.txt` },
        { role: 'assistant', content: 'One file.' },
      ],
    },
    {
      name: 'discard: the result goes',
      dialect: 'openai-chat',
      options: { policy: 'discard' },
      before: [
        { role: 'tool', tool_call_id: 'call_9', content: 'a.txt' },
        { role: 'assistant', content: 'One file.' },
      ],
      after: [{ role: 'assistant', content: 'One file.' }],
    },
    {
      name: 'front of the history cut away',
      dialect: 'pydantic-ai',
      before: [
        {
          kind: 'request',
          parts: [{ part_kind: 'tool-return', tool_name: 'ls', content: 'a.txt', tool_call_id: 'c9' }],
        },
        { kind: 'response', parts: [{ part_kind: 'text', content: 'One file.' }] },
      ],
      after: [
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: `${TEXTS.orphan} a.txt` }] },
        { kind: 'response', parts: [{ part_kind: 'text', content: 'One file.' }] },
      ],
    },
  ],
};

function answersSomething(found: Case): boolean {
  for (let i = found.fact.message - 1; i >= 0; i -= 1) {
    const { role, parts } = found.message(i);
    if (role === 'tool') continue;
    return role === 'assistant' && parts.some((part) => part.kind === 'call');
  }
  return false;
}
