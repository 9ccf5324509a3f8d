import { isFields, type Defect } from './draft.ts';

/** Who serves other models in the chat dialect, and templates of local models. */
const hosts = [
  'groq/llama-3.3-70b-versatile',
  'openrouter/google/gemini-2.5-flash',
  'deepseek-v4',
  'deepseek-r1',
  'kimi-k2-0905-preview',
  'grok-4',
  'qwen3.5-27b',
  'gemma-2-9b-it',
  'llama-2-13b-chat',
  'template/glm-4.7',
  'llama.cpp/qwen3',
];

/** The same history, served by somebody else; reasoning that some of them refuse is no content of anybody. */
export const chatHostDefects: readonly Defect[] = hosts.map((model) => ({
  name: `served by ${model}`,
  breaks: 'sometimes',
  plant: (draft) => {
    draft.model = model;
    if (draft.body) draft.body['model'] = model;
    for (const message of draft.messages) {
      if (isFields(message) && 'reasoning_content' in message) message['reasoning_content'] = 'because';
    }
    return true;
  },
}));
