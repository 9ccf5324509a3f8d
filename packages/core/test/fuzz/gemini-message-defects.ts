import type { Defect, Fields, Make, Plant } from './draft.ts';
import {
  anyOf,
  cutText,
  defectsIn,
  emptied,
  freshText,
  inserting,
  insertingAt,
  isFields,
  listOf,
  onOne,
  placesOf,
  set,
} from './draft.ts';
import { asks, image, says, text, userMessage } from './gemini-drafts.ts';
import { hasCalls, hasResults, isModel, isUser, onPart } from './gemini-places.ts';

/** Puts a part at the front of a random content of one side. */
const prefixing = (side: (message: Fields) => boolean, make: Make): Plant =>
  onOne(
    (draft) => placesOf(draft, (message) => side(message) && Array.isArray(message['parts'])),
    ({ message }, draft, random) => void listOf(message, 'parts').unshift(structuredClone(make(draft, random))),
  );

/** Inserts beside a content that neither calls nor answers. */
const beside = (side: (message: Fields) => boolean, make: Make): Plant => {
  const isPair = (message: unknown): boolean => isFields(message) && (hasCalls(message) || hasResults(message));
  return insertingAt(
    (draft) =>
      placesOf(draft, (message) => side(message) && !isPair(message))
        .map(({ index }) => index + 1)
        .filter((index) => !isPair(draft.messages[index])),
    make,
  );
};

const wrongParts: unknown[] = [null, 'text', 7, [], true];
const emptyParts: unknown[] = [
  {},
  { text: null },
  { thought: true },
  { thoughtSignature: 'c2ln' },
  { videoMetadata: { fps: 1 } },
  { text: undefined, thought_signature: 'c2ln' },
];
const misshapenParts: unknown[] = [
  { text: 7 },
  { functionCall: 'read' },
  { functionResponse: [] },
  { inlineData: 'AAAA' },
  { executableCode: 'print()' },
];

const emptiness: Defect[] = defectsIn({
  always: {
    'empty content': inserting((_draft, random) => random.pick([asks(), says()])),
    'content without parts': inserting((_draft, random) => ({
      role: 'model',
      parts: random.pick<unknown>([null, undefined]),
    })),
    'empty part': prefixing(isUser, (_draft, random) => random.pick(emptyParts)),
    'empty part of the model': prefixing(isModel, (_draft, random) => random.pick(emptyParts)),
    'wrong part': prefixing(isUser, (_draft, random) => random.pick(wrongParts)),
    'misshapen part': prefixing(isUser, (_draft, random) => random.pick(misshapenParts)),
    'two kinds of data in a part': prefixing(isUser, (draft) => ({ ...text(draft), ...image() })),
    'a text in the part of a call': onPart('call', ({ part }, draft) => void (part['text'] = freshText(draft, 'said'))),
  },
  never: {
    'empty text': prefixing(isModel, () => ({ text: '' })),
  },
});

const roles: Defect[] = defectsIn({
  always: {
    'leading system': (draft) => draft.messages.unshift({ role: 'system', parts: [text(draft, 'rules')] }) > 0,
    'system inside': inserting((draft) => ({ role: 'system', parts: [text(draft, 'rules')] })),
    'empty system': inserting(() => ({ role: 'system', parts: [] })),
    'picture in a system message': inserting((draft) => ({ role: 'system', parts: [text(draft, 'rules'), image()] })),
    'wrong role': inserting((draft, random) => ({
      role: random.pick<unknown>(['assistant', 'function', 'Model', 'narrator', 7, {}]),
      parts: [text(draft, 'said')],
    })),
    'role of another provider on a call': onPart('call', ({ message }) => void (message['role'] = 'assistant')),
    'result under a role of its own': onPart(
      'result',
      ({ message }, _draft, random) => void (message['role'] = random.pick(['function', 'tool'])),
    ),
    'message of another provider': inserting((draft, random) => ({
      role: random.pick(['user', 'assistant']),
      content: random.chance(2) ? freshText(draft, 'said') : [{ type: 'text', text: freshText(draft, 'said') }],
    })),
  },
  sometimes: {
    'model first': (draft) => draft.messages.unshift(says(text(draft, 'hello'))) > 0,
    'trailing answer': (draft) => draft.messages.push(says(text(draft, 'partial'))) > 0,
  },
  never: {
    'missing role': (draft, random) => {
      const found = anyOf(random, placesOf(draft, isUser));
      if (found) found.message['role'] = random.pick<unknown>([undefined, null, '']);
      return found !== undefined;
    },
    'consecutive users': beside(isUser, userMessage),
    'consecutive answers': beside(isModel, (draft) => says(text(draft, 'more'))),
    'thought in a user message': prefixing(isUser, (draft) => ({ text: freshText(draft, 'thought'), thought: true })),
  },
});

const shapes: Defect[] = defectsIn({
  always: {
    'wrong parts': inserting((_draft, random) => ({ role: 'user', parts: random.pick<unknown>(['text', 7, true]) })),
    'no message at all': inserting((_draft, random) => random.pick<unknown>([null, undefined, 'text', 7, [], true])),
    'lone surrogate in text': inserting((draft, random) => asks({ text: cutText(draft, random) })),
    'lone surrogate in an argument': onPart('call', set('args', { deep: [{ value: 'x\ud800' }] })),
    'lone surrogate in an argument key': onPart('call', set('args', { 'k\udfff': 1, 'k\ufffd': 2 })),
    'lone surrogate in a name': onPart('call', set('name', 'read\ud800')),
    'lone surrogate in an id': onPart('call', set('id', 'id\ud800')),
    'lone surrogate in a result': onPart('result', set('response', { result: 'out\udc00' })),
    'lone surrogate in an opaque part': inserting((draft) =>
      asks(text(draft), { hologram: { 'k\ud800': ['\udc00'] } }),
    ),
  },
  sometimes: {
    'empty list': emptied,
  },
  never: {
    'unknown keys': onPart('text', ({ part, message }, draft) => {
      part['note'] = freshText(draft, 'why');
      message['id'] = 'm1';
    }),
  },
});

/** Ways in which single contents and their places go wrong. */
export const geminiMessageDefects: readonly Defect[] = [...emptiness, ...roles, ...shapes];
