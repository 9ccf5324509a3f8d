import { textPart } from '../../model/part.ts';
import type { Case, Rule } from '../../model/rule.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { isRecord } from '../../model/value.ts';

/** A request that ends in the assistant's own words asks the model to continue them, which most models refuse. */
export const endsWithAssistant: Rule = {
  id: 'ends-with-assistant',
  title: 'the request ends with an assistant message',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: {
    'anthropic-messages': ['an-prefill', 'an-prefill-tools', 'an-prefill-thinking'],
    'pydantic-ai': ['py-history'],
  },
  trigger: 'ends-with-assistant',
  summary:
    'A stream was stopped in the middle of an answer and the session was resumed without a new question. A short user message is ' +
    'added. A turn that the provider paused may be sent back as it is.',
  detect: (found) => {
    if (found.message(found.fact.message).parts.some((part) => part.kind === 'call' && !part.server)) return false;
    return refusal(found) !== undefined;
  },
  explain: () => 'the last message is from the assistant',
  providerError: {
    'anthropic-messages': (found) => refusal(found) ?? '',
    'pydantic-ai': () => 'Processed history must end with a `ModelRequest`.',
  },
  repair: (found) => ({
    edits: [
      {
        kind: 'insert',
        message: found.count,
        messages: [{ role: 'user', parts: [textPart(TEXTS.proceed, 0)], at: -1 }],
      },
    ],
    action: 'synthesize',
    loss: 'synthetic',
    note: `added a user message at the end: ${TEXTS.proceed}`,
  }),
  examples: [
    {
      name: 'a stored history may end so',
      dialect: 'anthropic-messages',
      clean: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello' },
      ],
    },
    {
      name: 'resumed in the middle of an answer',
      dialect: 'anthropic-messages',
      before: {
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: 'Hello, I' },
        ],
      },
      after: {
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: 'Hello, I' },
          { role: 'user', content: [{ type: 'text', text: TEXTS.proceed }] },
        ],
      },
    },
    {
      name: 'resumed in the middle of an answer',
      dialect: 'pydantic-ai',
      before: {
        messages: [
          { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
          { kind: 'response', parts: [{ part_kind: 'text', content: 'Hello, I' }] },
        ],
      },
      after: {
        messages: [
          { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
          { kind: 'response', parts: [{ part_kind: 'text', content: 'Hello, I' }] },
          { kind: 'request', parts: [{ part_kind: 'user-prompt', content: TEXTS.proceed }] },
        ],
      },
    },
  ],
};

/** Why the request may not end so; undefined where it may. */
function refusal(found: Case): string | undefined {
  const { prefill } = found.profile;
  if (prefill === 'allowed') return undefined;
  if (prefill === 'refused') {
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  }
  const cause = prefillCause(found);
  if (cause === undefined) return undefined;
  return (
    'Your API request included an `assistant` message in the final position, which would pre-fill the `assistant` response. ' +
    `When using ${cause}, pre-filling the \`assistant\` response is not supported.`
  );
}

function prefillCause({ request, body }: Case): string | undefined {
  if (request === undefined || body === undefined) return undefined;
  if (request.reasoningOn) return 'thinking';
  if (request.toolCount > 0) return 'tools';
  const format = isRecord(body['output_config']) ? body['output_config']['format'] : body['output_format'];
  return format === undefined || format === null ? undefined : 'output format';
}
