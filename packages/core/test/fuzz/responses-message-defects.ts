import { freshText, type Defect } from './draft.ts';
import { userMessage } from './responses-drafts.ts';
import { inserting, onCall, onItem, onOutput, rename } from './responses-places.ts';

const wrongContents: unknown[] = [
  7,
  {},
  true,
  [null],
  ['text'],
  [7],
  [[]],
  [{}],
  [{ type: 7 }],
  [{ type: 'input_text' }],
];
const wrongItems: unknown[] = [null, undefined, 'text', 7, [], {}, true, { type: 'message' }, { type: 7 }];

/** Ways in which single entries of the Responses API go wrong. */
export const responsesMessageDefects: readonly Defect[] = [
  { name: 'empty text', breaks: 'never', plant: inserting(() => ({ role: 'user', content: '' })) },
  { name: 'empty list of pieces', breaks: 'never', plant: inserting(() => ({ role: 'user', content: [] })) },
  {
    name: 'no content',
    breaks: 'always',
    plant: inserting((_draft, random) => ({
      role: random.pick(['user', 'assistant', 'system']),
      ...(random.chance(2) ? { content: null } : {}),
    })),
  },
  {
    name: 'wrong content',
    breaks: 'always',
    plant: inserting((_draft, random) => ({
      role: random.pick(['user', 'assistant']),
      content: structuredClone(random.pick(wrongContents)),
    })),
  },
  {
    name: 'no entry at all',
    breaks: 'always',
    plant: inserting((_draft, random) => structuredClone(random.pick(wrongItems))),
  },
  {
    name: 'wrong role',
    breaks: 'always',
    plant: inserting((draft, random) => ({
      role: random.pick<unknown>(['model', 'human', 'tool', 7, null]),
      content: freshText(draft, 'said'),
    })),
  },
  {
    name: 'entry of another API',
    breaks: 'always',
    plant: inserting((draft, random) =>
      random.pick<unknown>([
        { type: 'tool_result', tool_use_id: 'x', content: freshText(draft, 'said') },
        { type: 'text', text: freshText(draft, 'said') },
        { role: 'ai', content: freshText(draft, 'said'), tool_calls: [{ id: 'a', function: { name: 'f' } }] },
      ]),
    ),
  },
  {
    name: 'pieces of the other side',
    breaks: 'always',
    plant: inserting((draft, random) => {
      const text = freshText(draft, 'said');
      return random.pick<unknown>([
        { role: 'assistant', content: [{ type: 'input_text', text }] },
        { role: 'user', content: [{ type: 'output_text', text }] },
        { role: 'user', content: [{ type: 'text', text }] },
        { role: 'system', content: [{ type: 'refusal', refusal: text }] },
        { role: 'assistant', content: [{ type: 'hologram', beam: text }] },
      ]);
    }),
  },
  {
    name: 'picture in an answer',
    breaks: 'always',
    plant: inserting((draft) => ({
      role: 'assistant',
      content: [
        { type: 'output_text', text: freshText(draft, 'said') },
        { type: 'input_image', image_url: 'data:,' },
      ],
    })),
  },
  {
    name: 'picture of another API',
    breaks: 'always',
    plant: inserting(() => ({ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] })),
  },
  {
    name: 'sound sent as a file',
    breaks: 'always',
    plant: inserting(() => ({ role: 'user', content: [{ type: 'input_file', file_data: 'data:audio/mpeg;base64,' }] })),
  },
  {
    name: 'phase that no model has',
    breaks: 'always',
    plant: inserting((draft) => ({ role: 'assistant', content: freshText(draft, 'said'), phase: 'thinking' })),
  },
  {
    name: 'output that is no text',
    breaks: 'always',
    plant: onOutput(
      ({ message }, draft, random) =>
        void (message['output'] = random.pick<unknown>([
          null,
          undefined,
          7,
          { out: freshText(draft, 'output') },
          [{ type: 'text', text: freshText(draft, 'output') }],
          [freshText(draft, 'output'), null],
          { type: 'input_text', text: freshText(draft, 'output') },
        ])),
    ),
  },
  {
    name: 'sound in an output',
    breaks: 'always',
    plant: onOutput(
      ({ message }) =>
        void (message['output'] = [{ type: 'input_file', filename: 'a.mp3', file_data: 'data:audio/mpeg;base64,' }]),
    ),
  },
  {
    name: 'lone surrogate in text',
    breaks: 'always',
    plant: inserting((draft, random) => ({
      role: 'user',
      content: freshText(draft, `cut ${random.pick(['\ud83d', '\udca9'])}`),
    })),
  },
  {
    name: 'lone surrogate in a key',
    breaks: 'always',
    plant: inserting((draft) => ({ role: 'user', content: freshText(draft, 'said'), 'k\ud800': 'x', 'k\ufffd': 2 })),
  },
  {
    name: 'lone surrogate in arguments',
    breaks: 'always',
    plant: onCall(({ message }) => void (message['arguments'] = '{"a":"\ud800"}')),
  },
  {
    name: 'lone surrogate in a name',
    breaks: 'always',
    plant: onCall(({ message }) => void (message['name'] = 'read\ud800')),
  },
  {
    name: 'lone surrogate in an id',
    breaks: 'always',
    plant: onCall((spot, draft) => rename(draft, spot, 'id\ud800')),
  },
  {
    name: 'lone surrogate in an output',
    breaks: 'always',
    plant: onOutput(({ message }) => void (message['output'] = 'out\udc00')),
  },
  {
    name: 'lone surrogate in reasoning',
    breaks: 'always',
    plant: onItem(
      ({ type }) => type === 'reasoning',
      ({ message }) => void (message['summary'] = [{ type: 'summary_text', text: 'why\ud800' }]),
    ),
  },
  { name: 'consecutive users', breaks: 'never', plant: inserting(userMessage) },
  {
    name: 'trailing assistant',
    breaks: 'never',
    plant: (draft) => draft.messages.push({ role: 'assistant', content: freshText(draft, 'partial') }) > 0,
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
