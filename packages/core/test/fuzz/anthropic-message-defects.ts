import type { Change, Defect, Fields, Make, Plant } from './draft.ts';
import {
  anyOf,
  cutText,
  defectsIn,
  emptied,
  freshText,
  inserting,
  isFields,
  onOne,
  placesOf,
  set,
  wrongMessages,
} from './draft.ts';
import { image, text, thinking, userMessage } from './anthropic-drafts.ts';
import { partsOf, spotsOf, withRole, onPart } from './anthropic-places.ts';
import type { Random } from './random.ts';

/** Changes a random message of a role. */
const onRole = (role: string, change: Change<Fields>): Plant =>
  onOne((draft) => placesOf(draft, withRole(role)).map(({ message }) => message), change);

/** Puts a part at the front of a random message of a role. */
const prefixing = (role: string, make: Make): Plant =>
  onRole(role, (message, draft, random) => void partsOf(message).unshift(make(draft, random)));

const user = (content: unknown): Fields => ({ role: 'user', content });
const blank = (random: Random): string => random.pick([' ', '\n', '\t \n', '\u00a0', '\u2003', '\ufeff']);
const cache = { type: 'ephemeral' };
const wrongContents: unknown[] = [null, 7, {}, true, [null], ['text'], [7], [[]], [{}], [{ type: 7 }], undefined];
const wrongSignatures: unknown[] = ['', undefined, null, 7];

const emptiness: Defect[] = defectsIn({
  always: {
    'empty text': prefixing('assistant', () => ({ type: 'text', text: '' })),
    'empty text alone': inserting(() => user([{ type: 'text', text: '' }])),
    'blank text': prefixing('assistant', (_draft, random) => ({ type: 'text', text: blank(random) })),
    'blank text alone': inserting((_draft, random) => user([{ type: 'text', text: blank(random) }])),
    'blank string': inserting((_draft, random) => user(blank(random))),
    'empty content': inserting((_draft, random) => user(random.pick<unknown>(['', []]))),
    'empty assistant': (draft, random) => {
      if (draft.messages.length === 0) return false;
      draft.messages.splice(random.below(draft.messages.length), 0, { role: 'assistant', content: [] });
      return true;
    },
    'cache marker on empty text': prefixing('user', () => ({ type: 'text', text: '', cache_control: cache })),
  },
  sometimes: {
    'empty assistant at the end': (draft, random) =>
      draft.messages.push({ role: 'assistant', content: random.pick<unknown>(['', []]) }) > 0,
  },
});

const reasoning: Defect[] = defectsIn({
  always: {
    'unsigned thinking': prefixing('assistant', (draft, random) => ({
      ...thinking(draft),
      signature: random.pick(wrongSignatures),
    })),
    'thinking without its text': prefixing('assistant', () => ({ type: 'thinking', signature: 'sig' })),
    'redacted thinking without data': prefixing('assistant', () => ({ type: 'redacted_thinking' })),
    'thinking last': onRole('assistant', (message, draft) => void partsOf(message).push(thinking(draft))),
    'thinking alone': inserting((draft) => ({ role: 'assistant', content: [thinking(draft)] })),
    'thinking in a user message': prefixing('user', (draft) => thinking(draft)),
    'bound thinking after an edit': onRole('assistant', (message, draft) => {
      draft.model = 'claude-fable-5-1';
      if (draft.body) draft.body['model'] = draft.model;
      partsOf(message).unshift(thinking(draft));
      draft.messages.unshift(
        user([{ type: 'tool_result', tool_use_id: 'toolu_cut', content: freshText(draft, 'cut') }]),
      );
    }),
  },
  sometimes: {
    'thinking after text': onRole(
      'assistant',
      (message, draft) => void partsOf(message).unshift(text(draft), thinking(draft)),
    ),
  },
  never: {
    'signed thinking with empty text': prefixing('assistant', (draft) => ({ ...thinking(draft), thinking: '' })),
  },
});

const roles: Defect[] = defectsIn({
  always: {
    'leading system': (draft) => draft.messages.unshift({ role: 'system', content: freshText(draft, 'rules') }) > 0,
    'empty system': inserting(() => ({ role: 'system', content: [] })),
    'wrong role': inserting((draft, random) => ({
      role: random.pick<unknown>(['tool', 'model', 'function', 7, null]),
      content: freshText(draft, 'said'),
    })),
    'missing role': inserting((draft) => ({ content: freshText(draft, 'said') })),
    'call in a user message': inserting((draft) =>
      user([{ type: 'tool_use', id: freshText(draft, 'u').replace(' ', '_'), name: 'f', input: {} }]),
    ),
    'result in its assistant message': onPart(
      'tool_use',
      ({ parts, fields }, draft) =>
        void parts.push({ type: 'tool_result', tool_use_id: fields['id'], content: freshText(draft, 'inline') }),
    ),
  },
  sometimes: {
    'system inside': inserting((draft) => ({ role: 'system', content: freshText(draft, 'rules') })),
    'assistant first': (draft) => draft.messages.unshift({ role: 'assistant', content: freshText(draft, 'hello') }) > 0,
    'trailing assistant': (draft, random) =>
      draft.messages.push({ role: 'assistant', content: freshText(draft, 'partial') + random.pick(['', ' \n']) }) > 0,
  },
  never: {
    'directive-only system': inserting(() => ({ role: 'system', content: [], output_config: { effort: 'low' } })),
    'consecutive users': (draft, random) => {
      const last = placesOf(draft, withRole('user')).filter(({ index }) => {
        const next = draft.messages[index + 1];
        return !isFields(next) || next['role'] !== 'user';
      });
      const found = anyOf(random, last);
      if (found) draft.messages.splice(found.index + 1, 0, userMessage(draft, random));
      return found !== undefined;
    },
    'consecutive assistants': (draft, random) => {
      const calls = new Set(spotsOf(draft, 'tool_use').map(({ index }) => index));
      const found = anyOf(
        random,
        placesOf(draft, withRole('assistant')).filter(({ index }) => !calls.has(index)),
      );
      if (found) draft.messages.splice(found.index + 1, 0, { role: 'assistant', content: freshText(draft, 'more') });
      return found !== undefined;
    },
  },
});

const shapes: Defect[] = defectsIn({
  always: {
    'wrong content': inserting((_draft, random) => user(random.pick(wrongContents))),
    'no message at all': inserting((_draft, random) => random.pick(wrongMessages)),
    'extra keys on a message': inserting((draft) => ({ ...user(freshText(draft, 'said')), id: 'm1', timestamp: 7 })),
    'extra keys on a text': inserting((draft) => user([{ ...text(draft), id: 'p1' }])),
    'extra keys on a call': onPart('tool_use', set('index', 0)),
    'extra keys on a result': onPart('tool_result', set('tool_name', 'read_file')),
    'extra keys on thinking': onPart('thinking', set('duration', 3)),
    'extra keys on an image': onPart('image', set('alt', 'a cat')),
    'lone surrogate in text': inserting((draft, random) => user(cutText(draft, random))),
    'lone surrogate in an argument': onPart('tool_use', set('input', { deep: [{ value: 'x\ud800' }] })),
    'lone surrogate in an argument key': onPart('tool_use', set('input', { 'k\udfff': 1, 'k\ufffd': 2 })),
    'lone surrogate in a name': onPart('tool_use', set('name', 'read\ud800')),
    'lone surrogate in an id': onPart('tool_use', set('id', 'id\ud800')),
    'lone surrogate in a result': onPart('tool_result', set('content', 'out\udc00')),
    'lone surrogate in an opaque part': inserting((draft) =>
      user([text(draft), { type: 'future_part', 'k\ud800': ['\udc00'] }]),
    ),
    'five cache markers': (draft, random) =>
      draft.messages.push(
        user(Array.from({ length: random.between(5, 7) }, () => ({ ...text(draft), cache_control: cache }))),
      ) > 0,
    'error result with an image': onPart(
      'tool_result',
      ({ fields: part }, draft) => void Object.assign(part, { is_error: true, content: [text(draft), image()] }),
    ),
    'error result with only an image': onPart(
      'tool_result',
      ({ fields: part }) => void Object.assign(part, { is_error: true, content: [image()] }),
    ),
    'empty result list': onPart('tool_result', set('content', [])),
    'empty text in a result': onPart(
      'tool_result',
      set('content', [{ type: 'text', text: '' }], [{ type: 'text', text: ' ' }]),
    ),
    'call inside a result': onPart(
      'tool_result',
      set('content', [{ type: 'tool_use', id: 'n', name: 'n', input: {} }]),
    ),
    'result inside a result': onPart(
      'tool_result',
      set('content', [{ type: 'tool_result', tool_use_id: 'n', content: 'nested' }]),
    ),
    'wrong result content': onPart('tool_result', set('content', 7, { ok: true }, [7], ['x'], [{}], true)),
    'toolset name lost': onPart('tool_use', set('toolset_name', 'computer')),
    'no tools declared': (draft, random) => {
      if (!draft.body || spotsOf(draft, 'tool_use').length === 0) return false;
      if (random.chance(2)) delete draft.body['tools'];
      else draft.body['tools'] = [];
      return true;
    },
  },
  sometimes: {
    'more images than allowed': (draft, random) =>
      random.chance(20) && draft.messages.push(user([text(draft), ...Array.from({ length: 101 }, image)])) > 0,
    'empty list': emptied,
  },
});

/** Ways in which single messages and their places go wrong. */
export const anthropicMessageDefects: readonly Defect[] = [...emptiness, ...reasoning, ...roles, ...shapes];
