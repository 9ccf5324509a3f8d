import { type Defect, cutText, defectsIn, emptied, freshText, set } from './draft.ts';
import { userMessage } from './responses-drafts.ts';
import { inserting, onCall, onItem, onOutput, rename, isReasoning } from './responses-places.ts';

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
export const responsesMessageDefects: readonly Defect[] = defectsIn({
  always: {
    'no content': inserting((_draft, random) => ({
      role: random.pick(['user', 'assistant', 'system']),
      ...(random.chance(2) ? { content: null } : {}),
    })),
    'wrong content': inserting((_draft, random) => ({
      role: random.pick(['user', 'assistant']),
      content: structuredClone(random.pick(wrongContents)),
    })),
    'no entry at all': inserting((_draft, random) => structuredClone(random.pick(wrongItems))),
    'wrong role': inserting((draft, random) => ({
      role: random.pick<unknown>(['model', 'human', 'tool', 7, null]),
      content: freshText(draft, 'said'),
    })),
    'entry of another API': inserting((draft, random) =>
      random.pick<unknown>([
        { type: 'tool_result', tool_use_id: 'x', content: freshText(draft, 'said') },
        { type: 'text', text: freshText(draft, 'said') },
        { role: 'ai', content: freshText(draft, 'said'), tool_calls: [{ id: 'a', function: { name: 'f' } }] },
      ]),
    ),
    'pieces of the other side': inserting((draft, random) => {
      const text = freshText(draft, 'said');
      return random.pick<unknown>([
        { role: 'assistant', content: [{ type: 'input_text', text }] },
        { role: 'user', content: [{ type: 'output_text', text }] },
        { role: 'user', content: [{ type: 'text', text }] },
        { role: 'system', content: [{ type: 'refusal', refusal: text }] },
        { role: 'assistant', content: [{ type: 'hologram', beam: text }] },
      ]);
    }),
    'picture in an answer': inserting((draft) => ({
      role: 'assistant',
      content: [
        { type: 'output_text', text: freshText(draft, 'said') },
        { type: 'input_image', image_url: 'data:,' },
      ],
    })),
    'picture of another API': inserting(() => ({
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: 'data:,' } }],
    })),
    'sound sent as a file': inserting(() => ({
      role: 'user',
      content: [{ type: 'input_file', file_data: 'data:audio/mpeg;base64,' }],
    })),
    'phase that no model has': inserting((draft) => ({
      role: 'assistant',
      content: freshText(draft, 'said'),
      phase: 'thinking',
    })),
    'output that is no text': onOutput(
      ({ fields: message }, draft, random) =>
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
    'sound in an output': onOutput(
      set('output', [{ type: 'input_file', filename: 'a.mp3', file_data: 'data:audio/mpeg;base64,' }]),
    ),
    'lone surrogate in text': inserting((draft, random) => ({
      role: 'user',
      content: cutText(draft, random),
    })),
    'lone surrogate in a key': inserting((draft) => ({
      role: 'user',
      content: freshText(draft, 'said'),
      'k\ud800': 'x',
      'k\ufffd': 2,
    })),
    'lone surrogate in arguments': onCall(set('arguments', '{"a":"\ud800"}')),
    'lone surrogate in a name': onCall(set('name', 'read\ud800')),
    'lone surrogate in an id': onCall((spot, draft) => rename(draft, spot, 'id\ud800')),
    'lone surrogate in an output': onOutput(set('output', 'out\udc00')),
    'lone surrogate in reasoning': onItem(isReasoning, set('summary', [{ type: 'summary_text', text: 'why\ud800' }])),
  },
  sometimes: {
    'empty list': emptied,
  },
  never: {
    'empty text': inserting(() => ({ role: 'user', content: '' })),
    'empty list of pieces': inserting(() => ({ role: 'user', content: [] })),
    'consecutive users': inserting(userMessage),
    'trailing assistant': (draft) =>
      draft.messages.push({ role: 'assistant', content: freshText(draft, 'partial') }) > 0,
  },
});
