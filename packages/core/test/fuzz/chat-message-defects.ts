import { type Defect, cutText, defectsIn, emptied, freshText, inserting, set, wrongMessages } from './draft.ts';
import { userMessage } from './chat-drafts.ts';
import { onCall, onResult, insertingBetweenSteps, rename, functionOf } from './chat-places.ts';

const wrongContents: unknown[] = [7, {}, true, [null], ['text'], [7], [[]], [{}], [{ type: 7 }], []];

/** Ways in which single chat messages and their places go wrong. */
export const chatMessageDefects: readonly Defect[] = defectsIn({
  always: {
    'wrong content': insertingBetweenSteps((_draft, random) => ({ role: 'user', content: random.pick(wrongContents) })),
    'no message at all': inserting((_draft, random) => random.pick(wrongMessages)),
    'wrong role': inserting((draft, random) => ({
      role: random.pick<unknown>(['model', 'human', 7, null, undefined]),
      content: freshText(draft, 'said'),
    })),
    'image in a result': onResult(
      ({ fields: message }, draft) =>
        void (message['content'] = [
          { type: 'text', text: freshText(draft, 'shot') },
          { type: 'image_url', image_url: { url: 'data:,' } },
        ]),
    ),
    'only an image in a result': onResult(set('content', [{ type: 'image_url', image_url: { url: 'data:,' } }])),
    'audio in a system message': insertingBetweenSteps(() => ({
      role: 'system',
      content: [{ type: 'input_audio', input_audio: { data: '', format: 'wav' } }],
    })),
    'two refusals': insertingBetweenSteps(() => ({
      role: 'assistant',
      content: [
        { type: 'refusal', refusal: 'no' },
        { type: 'refusal', refusal: 'never' },
      ],
    })),
    'refusal beside text': insertingBetweenSteps((draft) => ({
      role: 'assistant',
      content: [
        { type: 'text', text: freshText(draft, 'well') },
        { type: 'refusal', refusal: 'no' },
      ],
    })),
    'lone surrogate in text': insertingBetweenSteps((draft, random) => ({
      role: 'user',
      content: cutText(draft, random),
    })),
    'lone surrogate in a key': insertingBetweenSteps((draft) => ({
      role: 'user',
      content: freshText(draft, 'said'),
      'k\ud800': 1,
      'k\ufffd': 2,
    })),
    'lone surrogate in arguments': onCall((spot) => void (functionOf(spot)['arguments'] = '{"a":"\ud800"}')),
    'lone surrogate in a name': onCall((spot) => void (functionOf(spot)['name'] = 'read\ud800')),
    'lone surrogate in an id': onCall((spot, draft) => rename(draft, spot, 'id\ud800')),
    'lone surrogate in a result': onResult(set('content', 'out\udc00')),
    'system on a model that refuses it': (draft, random) => {
      draft.model = random.pick(['o1-mini', 'o1-preview-2024-09-12']);
      if (draft.body) draft.body['model'] = draft.model;
      draft.messages.unshift({ role: random.pick(['system', 'developer']), content: freshText(draft, 'rules') });
      return true;
    },
  },
  sometimes: {
    'null content': insertingBetweenSteps((_draft, random) => ({
      role: random.pick(['user', 'assistant', 'system']),
      content: null,
    })),
    'missing content': insertingBetweenSteps((_draft, random) => ({
      role: random.pick(['user', 'assistant', 'developer']),
    })),
    'null result content': onResult(set('content', null)),
    'empty list': emptied,
  },
  never: {
    'empty text': insertingBetweenSteps(() => ({ role: 'user', content: '' })),
    'blank text': insertingBetweenSteps(() => ({ role: 'user', content: [{ type: 'text', text: ' ' }] })),
    'extra keys': insertingBetweenSteps((draft) => ({
      role: 'user',
      content: freshText(draft, 'said'),
      id: 'm1',
      timestamp: 7,
    })),
    'consecutive users': insertingBetweenSteps(userMessage),
    'consecutive assistants': insertingBetweenSteps((draft) => ({
      role: 'assistant',
      content: freshText(draft, 'more'),
    })),
    'trailing assistant': (draft) =>
      draft.messages.push({ role: 'assistant', content: freshText(draft, 'partial') }) > 0,
    'empty assistant': insertingBetweenSteps(() => ({ role: 'assistant', content: '' })),
    'legacy function call': insertingBetweenSteps(() => ({
      role: 'assistant',
      content: null,
      function_call: { name: 'f', arguments: '{}' },
    })),
  },
});
