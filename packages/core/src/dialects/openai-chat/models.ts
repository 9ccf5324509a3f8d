import type { Profile } from '../../model/profile.ts';

/**
 * Where a provider, a server or a model behind the chat dialect differs from the strict reading of it. A model may be
 * named together with who serves it, as in `groq/llama-3.3-70b-versatile`; the first row that fits counts.
 */
export function chatModels(strict: Profile): readonly (readonly [name: RegExp, profile: Profile])[] {
  const anyId = { idMax: Number.POSITIVE_INFINITY, maxTools: Number.POSITIVE_INFINITY } as const;
  const compatible: Profile = { ...strict, ...anyId };
  // A template that only knows the user and the assistant, in turns.
  const turns: Profile = {
    ...compatible,
    firstUser: true,
    alternation: true,
    toolRole: false,
    plainContent: true,
    prefill: 'refused',
    speaker: 'template',
  };
  const oneSystem: Profile = { ...compatible, oneSystem: true, systemLater: false, speaker: 'template' };
  return [
    [/^groq\//i, { ...compatible, unknownKeys: 'strip', reasoningField: 'never', plainContent: true, speaker: 'groq' }],
    [/^openrouter\//i, compatible],
    // Servers that hand the messages to a template as they are.
    [/^template\//i, { ...oneSystem, inputForm: 'object', prefill: 'refused' }],
    [/^llama\.?cpp\//i, { ...compatible, prefill: 'refused', speaker: 'template' }],
    [/(^|[^a-z0-9])o1-(mini|preview)/i, { ...strict, systemRole: false }],
    // From 5.6 on absent and null content is accepted on every role. `gpt-35` is how one host spells 3.5.
    [/(^|[^a-z0-9])gpt-(5\.([6-9]|\d\d)|[6-9](?!\d))/i, { ...strict, nullContent: true }],
    [
      /(^|\/)deepseek-r1(?!-distill)/i,
      { ...compatible, reasoningField: 'never', alternation: true, speaker: 'deepseek' },
    ],
    [/(^|\/)deepseek-(reasoner|v[4-9])/i, { ...compatible, reasoningField: 'back', speaker: 'deepseek' }],
    [/^deepseek-(chat|coder)/i, { ...strict, speaker: 'deepseek' }],
    [/(^|\/)(kimi|moonshot)/i, { ...compatible, emptyText: 'refused', speaker: 'moonshot' }],
    [/(^|\/)grok-/i, { ...compatible, contentNeeded: true, speaker: 'xai' }],
    [/(^|\/)qwen-?3\.[56]/i, oneSystem],
    // Those that one provider alone serves; everybody may serve the others.
    [/^qwen[\d.]*-(max|plus|turbo|flash|long|coder-(plus|flash))/i, { ...strict, speaker: 'dashscope' }],
    [
      /^(qwen|dashscope)\/qwen[\d.]*-(max|plus|turbo|flash|long|coder-(plus|flash))/i,
      { ...compatible, speaker: 'dashscope' },
    ],
    [/(^|\/)gemma[-:]?([12](?!\d)|(?=[-:]\d+b)|$)/i, { ...turns, systemRole: false }],
    [/(^|\/)mistral-7b-instruct-v0\.1/i, { ...turns, systemRole: false }],
    [/(^|\/)llama-?2(?!\d)/i, { ...turns, oneSystem: true, systemLater: false }],
    // The name of a vendor before that of a model: somebody else serves it, with ids of its own.
    [/^(?!openai\/)[\w.-]+\//i, compatible],
  ];
}
