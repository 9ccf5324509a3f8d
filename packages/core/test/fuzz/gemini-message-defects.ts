import {
  anyOf,
  freshText,
  insertAnywhere,
  isFields,
  listOf,
  placesOf,
  type Defect,
  type Draft,
  type Fields,
} from './draft.ts';
import { asks, image, says, text, userMessage } from './gemini-drafts.ts';
import { anySpot, hasCalls, hasResults, isModel, isUser, type Kind, type Spot } from './gemini-places.ts';
import type { Random } from './random.ts';

/** Inserts a content where it separates no call from its results. */
const inserting =
  (make: (draft: Draft, random: Random) => unknown): Defect['plant'] =>
  (draft, random) => {
    insertAnywhere(draft, random, structuredClone(make(draft, random)));
    return true;
  };

/** Puts a part at the front of a random content of one side. */
const prefixing =
  (side: (message: Fields) => boolean, make: (draft: Draft, random: Random) => unknown): Defect['plant'] =>
  (draft, random) => {
    const found = anyOf(
      random,
      placesOf(draft, (message) => side(message) && Array.isArray(message['parts'])),
    );
    if (found) listOf(found.message, 'parts').unshift(structuredClone(make(draft, random)));
    return found !== undefined;
  };

const onPart =
  (kind: Kind, change: (spot: Spot, draft: Draft, random: Random) => void): Defect['plant'] =>
  (draft, random) => {
    const spot = anySpot(draft, random, kind);
    if (spot) change(spot, draft, random);
    return spot !== undefined;
  };

/** Inserts beside a content that neither calls nor answers. */
const beside =
  (side: (message: Fields) => boolean, make: (draft: Draft, random: Random) => unknown): Defect['plant'] =>
  (draft, random) => {
    const found = anyOf(
      random,
      placesOf(draft, (message) => side(message) && !hasCalls(message) && !hasResults(message)),
    );
    const next = found && draft.messages[found.index + 1];
    if (!found || (isFields(next) && (hasCalls(next) || hasResults(next)))) return false;
    draft.messages.splice(found.index + 1, 0, make(draft, random));
    return true;
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

const emptiness: Defect[] = [
  { name: 'empty text', breaks: 'never', plant: prefixing(isModel, () => ({ text: '' })) },
  { name: 'empty content', breaks: 'always', plant: inserting((_draft, random) => random.pick([asks(), says()])) },
  {
    name: 'content without parts',
    breaks: 'always',
    plant: inserting((_draft, random) => ({ role: 'model', parts: random.pick<unknown>([null, undefined]) })),
  },
  { name: 'empty part', breaks: 'always', plant: prefixing(isUser, (_draft, random) => random.pick(emptyParts)) },
  {
    name: 'empty part of the model',
    breaks: 'always',
    plant: prefixing(isModel, (_draft, random) => random.pick(emptyParts)),
  },
  { name: 'wrong part', breaks: 'always', plant: prefixing(isUser, (_draft, random) => random.pick(wrongParts)) },
  {
    name: 'misshapen part',
    breaks: 'always',
    plant: prefixing(isUser, (_draft, random) => random.pick(misshapenParts)),
  },
  {
    name: 'two kinds of data in a part',
    breaks: 'always',
    plant: prefixing(isUser, (draft) => ({ ...text(draft), ...image() })),
  },
  {
    name: 'a text in the part of a call',
    breaks: 'always',
    plant: onPart('call', ({ part }, draft) => void (part['text'] = freshText(draft, 'said'))),
  },
];

const roles: Defect[] = [
  {
    name: 'leading system',
    breaks: 'always',
    plant: (draft) => draft.messages.unshift({ role: 'system', parts: [text(draft, 'rules')] }) > 0,
  },
  {
    name: 'system inside',
    breaks: 'always',
    plant: inserting((draft) => ({ role: 'system', parts: [text(draft, 'rules')] })),
  },
  { name: 'empty system', breaks: 'always', plant: inserting(() => ({ role: 'system', parts: [] })) },
  {
    name: 'picture in a system message',
    breaks: 'always',
    plant: inserting((draft) => ({ role: 'system', parts: [text(draft, 'rules'), image()] })),
  },
  {
    name: 'wrong role',
    breaks: 'always',
    plant: inserting((draft, random) => ({
      role: random.pick<unknown>(['assistant', 'function', 'Model', 'narrator', 7, {}]),
      parts: [text(draft, 'said')],
    })),
  },
  {
    name: 'role of another provider on a call',
    breaks: 'always',
    plant: onPart('call', ({ message }) => void (message['role'] = 'assistant')),
  },
  {
    name: 'result under a role of its own',
    breaks: 'always',
    plant: onPart(
      'result',
      ({ message }, _draft, random) => void (message['role'] = random.pick(['function', 'tool'])),
    ),
  },
  {
    name: 'message of another provider',
    breaks: 'always',
    plant: inserting((draft, random) => ({
      role: random.pick(['user', 'assistant']),
      content: random.chance(2) ? freshText(draft, 'said') : [{ type: 'text', text: freshText(draft, 'said') }],
    })),
  },
  {
    name: 'missing role',
    breaks: 'never',
    plant: (draft, random) => {
      const found = anyOf(random, placesOf(draft, isUser));
      if (found) found.message['role'] = random.pick<unknown>([undefined, null, '']);
      return found !== undefined;
    },
  },
  {
    name: 'model first',
    breaks: 'sometimes',
    plant: (draft) => draft.messages.unshift(says(text(draft, 'hello'))) > 0,
  },
  { name: 'consecutive users', breaks: 'never', plant: beside(isUser, userMessage) },
  { name: 'consecutive answers', breaks: 'never', plant: beside(isModel, (draft) => says(text(draft, 'more'))) },
  {
    name: 'trailing answer',
    breaks: 'sometimes',
    plant: (draft) => draft.messages.push(says(text(draft, 'partial'))) > 0,
  },
  {
    name: 'thought in a user message',
    breaks: 'never',
    plant: prefixing(isUser, (draft) => ({ text: freshText(draft, 'thought'), thought: true })),
  },
];

const shapes: Defect[] = [
  {
    name: 'wrong parts',
    breaks: 'always',
    plant: inserting((_draft, random) => ({ role: 'user', parts: random.pick<unknown>(['text', 7, true]) })),
  },
  {
    name: 'no message at all',
    breaks: 'always',
    plant: inserting((_draft, random) => random.pick<unknown>([null, undefined, 'text', 7, [], true])),
  },
  {
    name: 'unknown keys',
    breaks: 'never',
    plant: onPart('text', ({ part, message }, draft) => {
      part['note'] = freshText(draft, 'why');
      message['id'] = 'm1';
    }),
  },
  {
    name: 'lone surrogate in text',
    breaks: 'always',
    plant: inserting((draft, random) => asks({ text: freshText(draft, `cut ${random.pick(['\ud83d', '\udca9'])}`) })),
  },
  {
    name: 'lone surrogate in an argument',
    breaks: 'always',
    plant: onPart('call', ({ inner }) => void (inner['args'] = { deep: [{ value: 'x\ud800' }] })),
  },
  {
    name: 'lone surrogate in an argument key',
    breaks: 'always',
    plant: onPart('call', ({ inner }) => void (inner['args'] = { 'k\udfff': 1, 'k\ufffd': 2 })),
  },
  {
    name: 'lone surrogate in a name',
    breaks: 'always',
    plant: onPart('call', ({ inner }) => void (inner['name'] = 'read\ud800')),
  },
  {
    name: 'lone surrogate in an id',
    breaks: 'always',
    plant: onPart('call', ({ inner }) => void (inner['id'] = 'id\ud800')),
  },
  {
    name: 'lone surrogate in a result',
    breaks: 'always',
    plant: onPart('result', ({ inner }) => void (inner['response'] = { result: 'out\udc00' })),
  },
  {
    name: 'lone surrogate in an opaque part',
    breaks: 'always',
    plant: inserting((draft) => asks(text(draft), { hologram: { 'k\ud800': ['\udc00'] } })),
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

/** Ways in which single contents and their places go wrong. */
export const geminiMessageDefects: readonly Defect[] = [...emptiness, ...roles, ...shapes];
