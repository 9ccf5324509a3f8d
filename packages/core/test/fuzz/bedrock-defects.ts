import type { Change, Defect, Draft, Fields, Make, Plant } from './draft.ts';
import {
  anyOf,
  defectsIn,
  emptied,
  freshId,
  freshText,
  GONE,
  inserting,
  isFields,
  listOf,
  onOne,
  placesOf,
  set,
  wrongMessages,
} from './draft.ts';
import { call, image, legalId, result, text, thinking, userMessage } from './bedrock-drafts.ts';

interface Spot {
  readonly index: number;
  readonly message: Fields;
  readonly parts: unknown[];
  readonly part: Fields;
  /** What stands under the key that says what the part is. */
  readonly fields: Fields;
}

function spotsOf(draft: Draft, member: string): Spot[] {
  return placesOf(draft, (message) => Array.isArray(message['content'])).flatMap(({ index, message }) => {
    const parts = listOf(message, 'content');
    return parts.filter(isFields).flatMap((part) => {
      const inner = part[member];
      return isFields(inner) ? [{ index, message, parts, part, fields: inner }] : [];
    });
  });
}

const on = (member: string, change: Change<Spot>): Plant => onOne((draft) => spotsOf(draft, member), change);

/** Adds a part to a message that is not there for results. */
const adding =
  (role: string, make: Make): Plant =>
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
  spotsOf(draft, 'toolResult').find(({ fields: inner }) => inner['toolUseId'] === id);

function rename(draft: Draft, spot: Spot, id: unknown): void {
  const answered = resultOf(draft, spot.fields['toolUseId']);
  spot.fields['toolUseId'] = id;
  if (answered) answered.fields['toolUseId'] = id;
}

const wrongContents: unknown[] = [7, {}, 'said', true, [null], ['text'], [7], [[]], [{}], [{ type: 'text' }], []];

const pairs: Defect[] = defectsIn({
  always: {
    'dangling call': on('toolUse', ({ fields: inner }, draft) => {
      const answered = resultOf(draft, inner['toolUseId']);
      if (!answered) return false;
      takeOut(draft, answered);
      return true;
    }),
    'call at the end': (draft) => draft.messages.push({ role: 'assistant', content: [call(draft), call(draft)] }) > 0,
    'orphan result': inserting((draft, random) => ({ role: 'user', content: [result(draft, legalId(draft), random)] })),
    'leading result': (draft, random) =>
      draft.messages.unshift({ role: 'user', content: [result(draft, 'cut', random)] }) > 0,
    'duplicate result, same content': on('toolResult', ({ parts, part }) => void parts.push(structuredClone(part))),
    'duplicate result, different content': on('toolResult', ({ parts, fields: inner }, draft) => {
      parts.push({ toolResult: { ...inner, content: [text(draft, 'other output')] } });
    }),
    'displaced result': on('toolResult', (spot, draft) => {
      takeOut(draft, spot);
      draft.messages.push({ role: 'user', content: [text(draft, 'go on')] }, { role: 'user', content: [spot.part] });
    }),
    'user text between call and result': on('toolUse', ({ index }, draft, random) => {
      draft.messages.splice(index + 1, 0, userMessage(draft, random));
    }),
    'missing result id': on('toolResult', set('toolUseId', GONE, 7, null)),
    'duplicate id in a batch, both answered': on('toolUse', ({ parts, fields: inner }, draft, random) => {
      const id = inner['toolUseId'];
      const answered = resultOf(draft, id);
      if (!answered) return false;
      parts.push(call(draft, String(id)));
      answered.parts.push(result(draft, id, random));
      return true;
    }),
    'id changed on one side': on('toolUse', ({ fields: inner }, draft) => void (inner['toolUseId'] = legalId(draft))),
    'empty id': on('toolUse', (spot, draft) => rename(draft, spot, '')),
    'missing call id': on('toolUse', set('toolUseId', GONE)),
    'illegal name': on('toolUse', set('name', '', 'a b', 'n'.repeat(65), 7, null, undefined, 'read\ud800')),
    'wrong input': on(
      'toolUse',
      set('input', '{"a', '{"a":1}', null, 7, [1], undefined, { '': 1 }, { a: [{ '': 1 }] }),
    ),
  },
  sometimes: {
    'text before the results': on('toolResult', ({ parts }, draft) => void parts.unshift(text(draft, 'wait'))),
    'text behind the results': on('toolResult', ({ parts }, draft) => void parts.push(text(draft, 'aside'), image())),
    're-used id across turns': on('toolUse', (spot, draft) => {
      const earlier = spotsOf(draft, 'toolUse').find(({ index }) => index < spot.index);
      if (!earlier) return false;
      rename(draft, spot, earlier.fields['toolUseId']);
      return true;
    }),
    'illegal id': on('toolUse', (spot, draft, random) =>
      rename(draft, spot, freshId(draft, random.pick(['functions.f:', 'é', 'x'.repeat(70), 'tooluse_ab']))),
    ),
  },
});

const messages: Defect[] = defectsIn({
  always: {
    'empty text': adding('user', () => ({ text: '' })),
    'blank guard': adding('user', () => ({ guardContent: { text: { text: '' } } })),
    'empty message': inserting(() => ({ role: 'assistant', content: [] })),
    'empty end': (draft) => draft.messages.push({ role: 'assistant', content: [] }) > 0,
    'wrong content': inserting((_draft, random) => ({ role: 'user', content: random.pick(wrongContents) })),
    'no message at all': inserting((_draft, random) => random.pick(wrongMessages)),
    'wrong role': inserting((draft, random) => ({
      role: random.pick<unknown>(['model', 'tool', 'developer', 7, null, undefined]),
      content: [text(draft, 'said')],
    })),
    'system message': (draft, random) => {
      draft.messages.splice(random.below(draft.messages.length + 1), 0, {
        role: 'system',
        content: [text(draft, 'rule')],
      });
      return true;
    },
    'thinking in a user message': adding('user', thinking),
    'call and result in one message': inserting((draft, random) => {
      const id = legalId(draft);
      return { role: 'assistant', content: [call(draft, id), result(draft, id, random), text(draft, 'done')] };
    }),
    'wrong result content': on('toolResult', ({ fields: inner }, draft, random) => {
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
    'error without content': on(
      'toolResult',
      ({ fields: inner }) => void ((inner['content'] = []), (inner['status'] = 'error')),
    ),
    'lone surrogate in text': inserting((draft) => ({
      role: 'user',
      content: [{ text: freshText(draft, 'cut \ud83d') }],
    })),
    'lone surrogate in an argument key': on('toolUse', set('input', { 'k\ud800': 1, 'k\ufffd': 2 })),
    'lone surrogate in a result': on('toolResult', set('content', [{ text: 'out\udc00' }])),
  },
  sometimes: {
    'blank text': adding('user', () => ({ text: ' \n' })),
    'blank text alone': inserting(() => ({ role: 'user', content: [{ text: ' ' }] })),
    'consecutive users': inserting(userMessage),
    'leading assistant': (draft) => draft.messages.unshift({ role: 'assistant', content: [text(draft, 'hello')] }) > 0,
    'trailing assistant': (draft) =>
      draft.messages.push({ role: 'assistant', content: [{ text: `${freshText(draft, 'part')} \n` }] }) > 0,
    'thinking last': adding('assistant', thinking),
    'unsigned thinking': on('reasoningContent', ({ fields: inner }, draft, random) => {
      inner['reasoningText'] = random.pick<unknown>([
        { text: freshText(draft, 'thought'), signature: '' },
        { text: freshText(draft, 'thought') },
        undefined,
      ]);
    }),
    'text behind a call': on('toolUse', ({ parts }, draft) => void parts.push(text(draft, 'more'))),
    'server pair': adding('assistant', (draft) => ({
      toolResult: { toolUseId: legalId(draft), content: [text(draft, 'ran')], type: 'nova_code_interpreter_result' },
    })),
    'picture of an error': on('toolResult', ({ fields: inner }, draft) => {
      inner['content'] = [text(draft, 'output'), image()];
      inner['status'] = 'error';
    }),
    'five cache points': (draft) => {
      const parts = Array.from({ length: 5 }, () => [text(draft, 'long'), { cachePoint: { type: 'default' } }]).flat();
      return (
        draft.messages.unshift({ role: 'user', content: parts }, { role: 'assistant', content: [text(draft, 'ok')] }) >
        0
      );
    },
    'no tools declared': (draft) => draft.body !== undefined && delete draft.body['toolConfig'],
    'thinking stripped': on('reasoningContent', (spot, draft) => takeOut(draft, spot)),
    'empty list': emptied,
  },
  never: {
    'extra keys': adding('user', (draft) => ({ text: freshText(draft, 'said'), note: { id: 7 } })),
  },
});

/** Ways in which Converse histories go wrong. */
export const bedrockDefects: readonly Defect[] = [...pairs, ...messages];
