import { userMessage } from './chat-drafts.ts';
import { onCall, onResult, inserting, insertingBetweenSteps, rename, functionOf } from './chat-places.ts';
import { freshText, type Defect } from './draft.ts';

const wrongContents: unknown[] = [7, {}, true, [null], ['text'], [7], [[]], [{}], [{ type: 7 }], []];
const wrongMessages: unknown[] = [null, undefined, 'text', 7, [], {}, true];

/** Ways in which single chat messages and their places go wrong. */
export const chatMessageDefects: readonly Defect[] = [
  { name: 'empty text', breaks: 'never', plant: insertingBetweenSteps(() => ({ role: 'user', content: '' })) },
  {
    name: 'blank text',
    breaks: 'never',
    plant: insertingBetweenSteps(() => ({ role: 'user', content: [{ type: 'text', text: ' ' }] })),
  },
  {
    name: 'null content',
    breaks: 'sometimes',
    plant: insertingBetweenSteps((_draft, random) => ({
      role: random.pick(['user', 'assistant', 'system']),
      content: null,
    })),
  },
  {
    name: 'missing content',
    breaks: 'sometimes',
    plant: insertingBetweenSteps((_draft, random) => ({ role: random.pick(['user', 'assistant', 'developer']) })),
  },
  { name: 'null result content', breaks: 'sometimes', plant: onResult((message) => void (message['content'] = null)) },
  {
    name: 'wrong content',
    breaks: 'always',
    plant: insertingBetweenSteps((_draft, random) => ({ role: 'user', content: random.pick(wrongContents) })),
  },
  { name: 'no message at all', breaks: 'always', plant: inserting((_draft, random) => random.pick(wrongMessages)) },
  {
    name: 'wrong role',
    breaks: 'always',
    plant: inserting((draft, random) => ({
      role: random.pick<unknown>(['model', 'human', 7, null, undefined]),
      content: freshText(draft, 'said'),
    })),
  },
  {
    name: 'image in a result',
    breaks: 'always',
    plant: onResult(
      (message, draft) =>
        void (message['content'] = [
          { type: 'text', text: freshText(draft, 'shot') },
          { type: 'image_url', image_url: { url: 'data:,' } },
        ]),
    ),
  },
  {
    name: 'only an image in a result',
    breaks: 'always',
    plant: onResult((message) => void (message['content'] = [{ type: 'image_url', image_url: { url: 'data:,' } }])),
  },
  {
    name: 'audio in a system message',
    breaks: 'always',
    plant: insertingBetweenSteps(() => ({
      role: 'system',
      content: [{ type: 'input_audio', input_audio: { data: '', format: 'wav' } }],
    })),
  },
  {
    name: 'two refusals',
    breaks: 'always',
    plant: insertingBetweenSteps(() => ({
      role: 'assistant',
      content: [
        { type: 'refusal', refusal: 'no' },
        { type: 'refusal', refusal: 'never' },
      ],
    })),
  },
  {
    name: 'refusal beside text',
    breaks: 'always',
    plant: insertingBetweenSteps((draft) => ({
      role: 'assistant',
      content: [
        { type: 'text', text: freshText(draft, 'well') },
        { type: 'refusal', refusal: 'no' },
      ],
    })),
  },
  {
    name: 'extra keys',
    breaks: 'never',
    plant: insertingBetweenSteps((draft) => ({
      role: 'user',
      content: freshText(draft, 'said'),
      id: 'm1',
      timestamp: 7,
    })),
  },
  {
    name: 'lone surrogate in text',
    breaks: 'always',
    plant: insertingBetweenSteps((draft, random) => ({
      role: 'user',
      content: freshText(draft, `cut ${random.pick(['\ud83d', '\udca9'])}`),
    })),
  },
  {
    name: 'lone surrogate in a key',
    breaks: 'always',
    plant: insertingBetweenSteps((draft) => ({
      role: 'user',
      content: freshText(draft, 'said'),
      'k\ud800': 1,
      'k\ufffd': 2,
    })),
  },
  {
    name: 'lone surrogate in arguments',
    breaks: 'always',
    plant: onCall((spot) => void (functionOf(spot)['arguments'] = '{"a":"\ud800"}')),
  },
  {
    name: 'lone surrogate in a name',
    breaks: 'always',
    plant: onCall((spot) => void (functionOf(spot)['name'] = 'read\ud800')),
  },
  {
    name: 'lone surrogate in an id',
    breaks: 'always',
    plant: onCall((spot, draft) => rename(draft, spot, 'id\ud800')),
  },
  {
    name: 'lone surrogate in a result',
    breaks: 'always',
    plant: onResult((message) => void (message['content'] = 'out\udc00')),
  },
  { name: 'consecutive users', breaks: 'never', plant: insertingBetweenSteps(userMessage) },
  {
    name: 'consecutive assistants',
    breaks: 'never',
    plant: insertingBetweenSteps((draft) => ({ role: 'assistant', content: freshText(draft, 'more') })),
  },
  {
    name: 'trailing assistant',
    breaks: 'never',
    plant: (draft) => draft.messages.push({ role: 'assistant', content: freshText(draft, 'partial') }) > 0,
  },
  {
    name: 'empty assistant',
    breaks: 'never',
    plant: insertingBetweenSteps(() => ({ role: 'assistant', content: '' })),
  },
  {
    name: 'legacy function call',
    breaks: 'never',
    plant: insertingBetweenSteps(() => ({
      role: 'assistant',
      content: null,
      function_call: { name: 'f', arguments: '{}' },
    })),
  },
  {
    name: 'system on a model that refuses it',
    breaks: 'always',
    plant: (draft, random) => {
      draft.model = random.pick(['o1-mini', 'o1-preview-2024-09-12']);
      if (draft.body) draft.body['model'] = draft.model;
      draft.messages.unshift({ role: random.pick(['system', 'developer']), content: freshText(draft, 'rules') });
      return true;
    },
  },
  {
    name: 'empty list',
    breaks: 'sometimes',
    plant: (draft) => {
      draft.messages = [];
      return true;
    },
  },
];
