import { call, image, legalId, result, text, thinking, userMessage } from './bedrock-drafts.ts';
import { anyOf, freshId, freshText, insertAnywhere, isFields, listOf, placesOf } from './draft.ts';
import type { Defect, Draft, Fields } from './draft.ts';
import type { Random } from './random.ts';

interface Spot {
  readonly index: number;
  readonly message: Fields;
  readonly parts: unknown[];
  readonly part: Fields;
  /** What stands under the key that says what the part is. */
  readonly inner: Fields;
}

function spotsOf(draft: Draft, member: string): Spot[] {
  return placesOf(draft, (message) => Array.isArray(message['content'])).flatMap(({ index, message }) => {
    const parts = listOf(message, 'content');
    return parts.filter(isFields).flatMap((part) => {
      const inner = part[member];
      return isFields(inner) ? [{ index, message, parts, part, inner }] : [];
    });
  });
}

const on =
  (member: string, change: (spot: Spot, draft: Draft, random: Random) => boolean | void): Defect['plant'] =>
  (draft, random) => {
    const spot = anyOf(random, spotsOf(draft, member));
    return spot !== undefined && change(spot, draft, random) !== false;
  };

const inserting =
  (make: (draft: Draft, random: Random) => unknown): Defect['plant'] =>
  (draft, random) => {
    insertAnywhere(draft, random, structuredClone(make(draft, random)));
    return true;
  };

/** Adds a part to a message that is not there for results. */
const adding =
  (role: string, make: (draft: Draft, random: Random) => unknown): Defect['plant'] =>
  (draft, random) => {
    const free = placesOf(
      draft,
      (message) => message['role'] === role && listOf(message, 'content').every((part) => !isPair(part)),
    );
    const parts = listOf(anyOf(random, free)?.message, 'content');
    return parts.length > 0 && parts.push(structuredClone(make(draft, random))) > 0;
  };

const isPair = (part: unknown): boolean => isFields(part) && ('toolUse' in part || 'toolResult' in part);

function takeOut(draft: Draft, { part, parts, message }: Spot): void {
  parts.splice(parts.indexOf(part), 1);
  if (parts.length === 0) draft.messages.splice(draft.messages.indexOf(message), 1);
}

const resultOf = (draft: Draft, id: unknown): Spot | undefined =>
  spotsOf(draft, 'toolResult').find(({ inner }) => inner['toolUseId'] === id);

function rename(draft: Draft, spot: Spot, id: unknown): void {
  const answered = resultOf(draft, spot.inner['toolUseId']);
  spot.inner['toolUseId'] = id;
  if (answered) answered.inner['toolUseId'] = id;
}

const wrongContents: unknown[] = [7, {}, 'said', true, [null], ['text'], [7], [[]], [{}], [{ type: 'text' }], []];
const wrongMessages: unknown[] = [null, undefined, 'text', 7, [], {}, true];

const pairs: Defect[] = [
  {
    name: 'dangling call',
    breaks: 'always',
    plant: on('toolUse', ({ inner }, draft) => {
      const answered = resultOf(draft, inner['toolUseId']);
      if (!answered) return false;
      takeOut(draft, answered);
      return true;
    }),
  },
  {
    name: 'call at the end',
    breaks: 'always',
    plant: (draft) => draft.messages.push({ role: 'assistant', content: [call(draft), call(draft)] }) > 0,
  },
  {
    name: 'orphan result',
    breaks: 'always',
    plant: inserting((draft, random) => ({ role: 'user', content: [result(draft, legalId(draft), random)] })),
  },
  {
    name: 'leading result',
    breaks: 'always',
    plant: (draft, random) => draft.messages.unshift({ role: 'user', content: [result(draft, 'cut', random)] }) > 0,
  },
  {
    name: 'duplicate result, same content',
    breaks: 'always',
    plant: on('toolResult', ({ parts, part }) => void parts.push(structuredClone(part))),
  },
  {
    name: 'duplicate result, different content',
    breaks: 'always',
    plant: on('toolResult', ({ parts, inner }, draft) => {
      parts.push({ toolResult: { ...inner, content: [text(draft, 'other output')] } });
    }),
  },
  {
    name: 'displaced result',
    breaks: 'always',
    plant: on('toolResult', (spot, draft) => {
      takeOut(draft, spot);
      draft.messages.push({ role: 'user', content: [text(draft, 'go on')] }, { role: 'user', content: [spot.part] });
    }),
  },
  {
    name: 'user text between call and result',
    breaks: 'always',
    plant: on('toolUse', ({ index }, draft, random) => {
      draft.messages.splice(index + 1, 0, userMessage(draft, random));
    }),
  },
  {
    name: 'text before the results',
    breaks: 'sometimes',
    plant: on('toolResult', ({ parts }, draft) => void parts.unshift(text(draft, 'wait'))),
  },
  {
    name: 'text behind the results',
    breaks: 'sometimes',
    plant: on('toolResult', ({ parts }, draft) => void parts.push(text(draft, 'aside'), image())),
  },
  {
    name: 'missing result id',
    breaks: 'always',
    plant: on('toolResult', ({ inner }, _draft, random) => {
      if (random.chance(2)) delete inner['toolUseId'];
      else inner['toolUseId'] = random.pick<unknown>([7, null]);
    }),
  },
  {
    name: 'duplicate id in a batch, both answered',
    breaks: 'always',
    plant: on('toolUse', ({ parts, inner }, draft, random) => {
      const id = inner['toolUseId'];
      const answered = resultOf(draft, id);
      if (!answered) return false;
      parts.push(call(draft, String(id)));
      answered.parts.push(result(draft, id, random));
      return true;
    }),
  },
  {
    name: 're-used id across turns',
    breaks: 'sometimes',
    plant: on('toolUse', (spot, draft) => {
      const earlier = spotsOf(draft, 'toolUse').find(({ index }) => index < spot.index);
      if (!earlier) return false;
      rename(draft, spot, earlier.inner['toolUseId']);
      return true;
    }),
  },
  {
    name: 'id changed on one side',
    breaks: 'always',
    plant: on('toolUse', ({ inner }, draft) => void (inner['toolUseId'] = legalId(draft))),
  },
  {
    name: 'illegal id',
    breaks: 'sometimes',
    plant: on('toolUse', (spot, draft, random) =>
      rename(draft, spot, freshId(draft, random.pick(['functions.f:', 'é', 'x'.repeat(70), 'tooluse_ab']))),
    ),
  },
  { name: 'empty id', breaks: 'always', plant: on('toolUse', (spot, draft) => rename(draft, spot, '')) },
  {
    name: 'missing call id',
    breaks: 'always',
    plant: on('toolUse', ({ inner }) => void delete inner['toolUseId']),
  },
  {
    name: 'illegal name',
    breaks: 'always',
    plant: on('toolUse', ({ inner }, _draft, random) => {
      inner['name'] = random.pick<unknown>(['', 'a b', 'n'.repeat(65), 7, null, undefined, 'read\ud800']);
    }),
  },
  {
    name: 'wrong input',
    breaks: 'always',
    plant: on('toolUse', ({ inner }, _draft, random) => {
      inner['input'] = random.pick<unknown>(['{"a', '{"a":1}', null, 7, [1], undefined, { '': 1 }, { a: [{ '': 1 }] }]);
    }),
  },
];

const messages: Defect[] = [
  {
    name: 'empty text',
    breaks: 'always',
    plant: adding('user', () => ({ text: '' })),
  },
  { name: 'blank text', breaks: 'sometimes', plant: adding('user', () => ({ text: ' \n' })) },
  {
    name: 'blank text alone',
    breaks: 'sometimes',
    plant: inserting(() => ({ role: 'user', content: [{ text: ' ' }] })),
  },
  {
    name: 'blank guard',
    breaks: 'always',
    plant: adding('user', () => ({ guardContent: { text: { text: '' } } })),
  },
  { name: 'empty message', breaks: 'always', plant: inserting(() => ({ role: 'assistant', content: [] })) },
  {
    name: 'empty end',
    breaks: 'always',
    plant: (draft) => draft.messages.push({ role: 'assistant', content: [] }) > 0,
  },
  {
    name: 'wrong content',
    breaks: 'always',
    plant: inserting((_draft, random) => ({ role: 'user', content: random.pick(wrongContents) })),
  },
  { name: 'no message at all', breaks: 'always', plant: inserting((_draft, random) => random.pick(wrongMessages)) },
  {
    name: 'wrong role',
    breaks: 'always',
    plant: inserting((draft, random) => ({
      role: random.pick<unknown>(['model', 'tool', 'developer', 7, null, undefined]),
      content: [text(draft, 'said')],
    })),
  },
  {
    name: 'system message',
    breaks: 'always',
    plant: (draft, random) => {
      draft.messages.splice(random.below(draft.messages.length + 1), 0, {
        role: 'system',
        content: [text(draft, 'rule')],
      });
      return true;
    },
  },
  { name: 'consecutive users', breaks: 'sometimes', plant: inserting(userMessage) },
  {
    name: 'leading assistant',
    breaks: 'sometimes',
    plant: (draft) => draft.messages.unshift({ role: 'assistant', content: [text(draft, 'hello')] }) > 0,
  },
  {
    name: 'trailing assistant',
    breaks: 'sometimes',
    plant: (draft) =>
      draft.messages.push({ role: 'assistant', content: [{ text: `${freshText(draft, 'part')} \n` }] }) > 0,
  },
  { name: 'thinking last', breaks: 'sometimes', plant: adding('assistant', thinking) },
  {
    name: 'unsigned thinking',
    breaks: 'sometimes',
    plant: on('reasoningContent', ({ inner }, draft, random) => {
      inner['reasoningText'] = random.pick<unknown>([
        { text: freshText(draft, 'thought'), signature: '' },
        { text: freshText(draft, 'thought') },
        undefined,
      ]);
    }),
  },
  {
    name: 'thinking in a user message',
    breaks: 'always',
    plant: adding('user', thinking),
  },
  {
    name: 'text behind a call',
    breaks: 'sometimes',
    plant: on('toolUse', ({ parts }, draft) => void parts.push(text(draft, 'more'))),
  },
  {
    name: 'call and result in one message',
    breaks: 'always',
    plant: inserting((draft, random) => {
      const id = legalId(draft);
      return { role: 'assistant', content: [call(draft, id), result(draft, id, random), text(draft, 'done')] };
    }),
  },
  {
    name: 'server pair',
    breaks: 'sometimes',
    plant: adding('assistant', (draft) => ({
      toolResult: { toolUseId: legalId(draft), content: [text(draft, 'ran')], type: 'nova_code_interpreter_result' },
    })),
  },
  {
    name: 'wrong result content',
    breaks: 'always',
    plant: on('toolResult', ({ inner }, draft, random) => {
      inner['content'] = random.pick<unknown>([
        freshText(draft, 'output'),
        null,
        undefined,
        [null],
        [{ text: '' }],
        [{ toolUse: { toolUseId: 'a' } }],
        [{}],
        [{ type: 'text', value: 1 }],
        { text: freshText(draft, 'output') },
      ]);
    }),
  },
  {
    name: 'error without content',
    breaks: 'always',
    plant: on('toolResult', ({ inner }) => void ((inner['content'] = []), (inner['status'] = 'error'))),
  },
  {
    name: 'picture of an error',
    breaks: 'sometimes',
    plant: on('toolResult', ({ inner }, draft) => {
      inner['content'] = [text(draft, 'output'), image()];
      inner['status'] = 'error';
    }),
  },
  {
    name: 'five cache points',
    breaks: 'sometimes',
    plant: (draft) => {
      const parts = Array.from({ length: 5 }, () => [text(draft, 'long'), { cachePoint: { type: 'default' } }]).flat();
      return (
        draft.messages.unshift({ role: 'user', content: parts }, { role: 'assistant', content: [text(draft, 'ok')] }) >
        0
      );
    },
  },
  {
    name: 'no tools declared',
    breaks: 'sometimes',
    plant: (draft) => draft.body !== undefined && delete draft.body['toolConfig'],
  },
  {
    name: 'thinking stripped',
    breaks: 'sometimes',
    plant: on('reasoningContent', (spot, draft) => takeOut(draft, spot)),
  },
  {
    name: 'lone surrogate in text',
    breaks: 'always',
    plant: inserting((draft) => ({ role: 'user', content: [{ text: freshText(draft, 'cut \ud83d') }] })),
  },
  {
    name: 'lone surrogate in an argument key',
    breaks: 'always',
    plant: on('toolUse', ({ inner }) => void (inner['input'] = { 'k\ud800': 1, 'k\ufffd': 2 })),
  },
  {
    name: 'lone surrogate in a result',
    breaks: 'always',
    plant: on('toolResult', ({ inner }) => void (inner['content'] = [{ text: 'out\udc00' }])),
  },
  {
    name: 'extra keys',
    breaks: 'never',
    plant: adding('user', (draft) => ({ text: freshText(draft, 'said'), note: { id: 7 } })),
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

/** Ways in which Converse histories go wrong. */
export const bedrockDefects: readonly Defect[] = [...pairs, ...messages];
