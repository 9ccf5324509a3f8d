import { image, text, thinking, userMessage } from './anthropic-drafts.ts';
import { anySpot, partsOf, spotsOf, withRole } from './anthropic-places.ts';
import { anyOf, freshText, insertAnywhere, isFields, placesOf, type Defect, type Draft, type Fields } from './draft.ts';
import type { Random } from './random.ts';

type Change = (message: Fields, draft: Draft, random: Random) => boolean | void;

/** Runs a change on a random message of a role. */
const onRole =
  (role: string, change: Change): Defect['plant'] =>
  (draft, random) => {
    const found = anyOf(random, placesOf(draft, withRole(role)));
    return found !== undefined && change(found.message, draft, random) !== false;
  };

/** Inserts a message anywhere but in front. */
const inserting =
  (make: (draft: Draft, random: Random) => unknown): Defect['plant'] =>
  (draft, random) => {
    insertAnywhere(draft, random, structuredClone(make(draft, random)));
    return true;
  };

/** Puts a part at the front of a random message of a role. */
const prefixing = (role: string, make: (draft: Draft, random: Random) => unknown): Defect['plant'] =>
  onRole(role, (message, draft, random) => void partsOf(message).unshift(make(draft, random)));

const onPart =
  (type: string, change: (part: Fields, draft: Draft, random: Random) => void): Defect['plant'] =>
  (draft, random) => {
    const spot = anySpot(draft, random, type);
    if (spot) change(spot.part, draft, random);
    return spot !== undefined;
  };

const user = (content: unknown): Fields => ({ role: 'user', content });
const blank = (random: Random): string => random.pick([' ', '\n', '\t \n', '\u00a0', '\u2003', '\ufeff']);
const cache = { type: 'ephemeral' };
const wrongContents: unknown[] = [null, 7, {}, true, [null], ['text'], [7], [[]], [{}], [{ type: 7 }], undefined];
const wrongMessages: unknown[] = [null, undefined, 'text', 7, [], {}, true];
const wrongSignatures: unknown[] = ['', undefined, null, 7];

const emptiness: Defect[] = [
  { name: 'empty text', breaks: 'always', plant: prefixing('assistant', () => ({ type: 'text', text: '' })) },
  { name: 'empty text alone', breaks: 'always', plant: inserting(() => user([{ type: 'text', text: '' }])) },
  {
    name: 'blank text',
    breaks: 'always',
    plant: prefixing('assistant', (_draft, random) => ({ type: 'text', text: blank(random) })),
  },
  {
    name: 'blank text alone',
    breaks: 'always',
    plant: inserting((_draft, random) => user([{ type: 'text', text: blank(random) }])),
  },
  { name: 'blank string', breaks: 'always', plant: inserting((_draft, random) => user(blank(random))) },
  {
    name: 'empty content',
    breaks: 'always',
    plant: inserting((_draft, random) => user(random.pick<unknown>(['', []]))),
  },
  {
    name: 'empty assistant',
    breaks: 'always',
    plant: (draft, random) => {
      if (draft.messages.length === 0) return false;
      draft.messages.splice(random.below(draft.messages.length), 0, { role: 'assistant', content: [] });
      return true;
    },
  },
  {
    name: 'empty assistant at the end',
    breaks: 'sometimes',
    plant: (draft, random) => draft.messages.push({ role: 'assistant', content: random.pick<unknown>(['', []]) }) > 0,
  },
  {
    name: 'cache marker on empty text',
    breaks: 'always',
    plant: prefixing('user', () => ({ type: 'text', text: '', cache_control: cache })),
  },
];

const reasoning: Defect[] = [
  {
    name: 'unsigned thinking',
    breaks: 'always',
    plant: prefixing('assistant', (draft, random) => ({ ...thinking(draft), signature: random.pick(wrongSignatures) })),
  },
  {
    name: 'thinking without its text',
    breaks: 'always',
    plant: prefixing('assistant', () => ({ type: 'thinking', signature: 'sig' })),
  },
  {
    name: 'signed thinking with empty text',
    breaks: 'never',
    plant: prefixing('assistant', (draft) => ({ ...thinking(draft), thinking: '' })),
  },
  {
    name: 'redacted thinking without data',
    breaks: 'always',
    plant: prefixing('assistant', () => ({ type: 'redacted_thinking' })),
  },
  {
    name: 'thinking last',
    breaks: 'always',
    plant: onRole('assistant', (message, draft) => void partsOf(message).push(thinking(draft))),
  },
  {
    name: 'thinking alone',
    breaks: 'always',
    plant: inserting((draft) => ({ role: 'assistant', content: [thinking(draft)] })),
  },
  {
    name: 'thinking after text',
    breaks: 'sometimes',
    plant: onRole('assistant', (message, draft) => void partsOf(message).unshift(text(draft), thinking(draft))),
  },
  { name: 'thinking in a user message', breaks: 'always', plant: prefixing('user', (draft) => thinking(draft)) },
  {
    name: 'bound thinking after an edit',
    breaks: 'always',
    plant: onRole('assistant', (message, draft) => {
      draft.model = 'claude-fable-5-1';
      if (draft.body) draft.body['model'] = draft.model;
      partsOf(message).unshift(thinking(draft));
      draft.messages.unshift(
        user([{ type: 'tool_result', tool_use_id: 'toolu_cut', content: freshText(draft, 'cut') }]),
      );
    }),
  },
];

const roles: Defect[] = [
  {
    name: 'leading system',
    breaks: 'always',
    plant: (draft) => draft.messages.unshift({ role: 'system', content: freshText(draft, 'rules') }) > 0,
  },
  {
    name: 'system inside',
    breaks: 'sometimes',
    plant: inserting((draft) => ({ role: 'system', content: freshText(draft, 'rules') })),
  },
  {
    name: 'directive-only system',
    breaks: 'never',
    plant: inserting(() => ({ role: 'system', content: [], output_config: { effort: 'low' } })),
  },
  { name: 'empty system', breaks: 'always', plant: inserting(() => ({ role: 'system', content: [] })) },
  {
    name: 'wrong role',
    breaks: 'always',
    plant: inserting((draft, random) => ({
      role: random.pick<unknown>(['tool', 'model', 'function', 7, null]),
      content: freshText(draft, 'said'),
    })),
  },
  { name: 'missing role', breaks: 'always', plant: inserting((draft) => ({ content: freshText(draft, 'said') })) },
  {
    name: 'assistant first',
    breaks: 'sometimes',
    plant: (draft) => draft.messages.unshift({ role: 'assistant', content: freshText(draft, 'hello') }) > 0,
  },
  {
    name: 'call in a user message',
    breaks: 'always',
    plant: inserting((draft) =>
      user([{ type: 'tool_use', id: freshText(draft, 'u').replace(' ', '_'), name: 'f', input: {} }]),
    ),
  },
  {
    name: 'result in its assistant message',
    breaks: 'always',
    plant: (draft, random) => {
      const spot = anySpot(draft, random, 'tool_use');
      spot?.parts.push({ type: 'tool_result', tool_use_id: spot.part['id'], content: freshText(draft, 'inline') });
      return spot !== undefined;
    },
  },
  {
    name: 'consecutive users',
    breaks: 'never',
    plant: (draft, random) => {
      const last = placesOf(draft, withRole('user')).filter(({ index }) => {
        const next = draft.messages[index + 1];
        return !isFields(next) || next['role'] !== 'user';
      });
      const found = anyOf(random, last);
      if (found) draft.messages.splice(found.index + 1, 0, userMessage(draft, random));
      return found !== undefined;
    },
  },
  {
    name: 'consecutive assistants',
    breaks: 'never',
    plant: (draft, random) => {
      const calls = new Set(spotsOf(draft, 'tool_use').map(({ index }) => index));
      const found = anyOf(
        random,
        placesOf(draft, withRole('assistant')).filter(({ index }) => !calls.has(index)),
      );
      if (found) draft.messages.splice(found.index + 1, 0, { role: 'assistant', content: freshText(draft, 'more') });
      return found !== undefined;
    },
  },
  {
    name: 'trailing assistant',
    breaks: 'sometimes',
    plant: (draft, random) =>
      draft.messages.push({ role: 'assistant', content: freshText(draft, 'partial') + random.pick(['', ' \n']) }) > 0,
  },
];

const shapes: Defect[] = [
  { name: 'wrong content', breaks: 'always', plant: inserting((_draft, random) => user(random.pick(wrongContents))) },
  { name: 'no message at all', breaks: 'always', plant: inserting((_draft, random) => random.pick(wrongMessages)) },
  {
    name: 'extra keys on a message',
    breaks: 'always',
    plant: inserting((draft) => ({ ...user(freshText(draft, 'said')), id: 'm1', timestamp: 7 })),
  },
  { name: 'extra keys on a text', breaks: 'always', plant: inserting((draft) => user([{ ...text(draft), id: 'p1' }])) },
  { name: 'extra keys on a call', breaks: 'always', plant: onPart('tool_use', (part) => void (part['index'] = 0)) },
  {
    name: 'extra keys on a result',
    breaks: 'always',
    plant: onPart('tool_result', (part) => void (part['tool_name'] = 'read_file')),
  },
  {
    name: 'extra keys on thinking',
    breaks: 'always',
    plant: onPart('thinking', (part) => void (part['duration'] = 3)),
  },
  { name: 'extra keys on an image', breaks: 'always', plant: onPart('image', (part) => void (part['alt'] = 'a cat')) },
  {
    name: 'lone surrogate in text',
    breaks: 'always',
    plant: inserting((draft, random) => user(freshText(draft, `cut ${random.pick(['\ud83d', '\udca9'])}`))),
  },
  {
    name: 'lone surrogate in an argument',
    breaks: 'always',
    plant: onPart('tool_use', (part) => void (part['input'] = { deep: [{ value: 'x\ud800' }] })),
  },
  {
    name: 'lone surrogate in an argument key',
    breaks: 'always',
    plant: onPart('tool_use', (part) => void (part['input'] = { 'k\udfff': 1, 'k\ufffd': 2 })),
  },
  {
    name: 'lone surrogate in a name',
    breaks: 'always',
    plant: onPart('tool_use', (part) => void (part['name'] = 'read\ud800')),
  },
  {
    name: 'lone surrogate in an id',
    breaks: 'always',
    plant: onPart('tool_use', (part) => void (part['id'] = 'id\ud800')),
  },
  {
    name: 'lone surrogate in a result',
    breaks: 'always',
    plant: onPart('tool_result', (part) => void (part['content'] = 'out\udc00')),
  },
  {
    name: 'lone surrogate in an opaque part',
    breaks: 'always',
    plant: inserting((draft) => user([text(draft), { type: 'future_part', 'k\ud800': ['\udc00'] }])),
  },
  {
    name: 'five cache markers',
    breaks: 'always',
    plant: (draft, random) =>
      draft.messages.push(
        user(Array.from({ length: random.between(5, 7) }, () => ({ ...text(draft), cache_control: cache }))),
      ) > 0,
  },
  {
    name: 'more images than allowed',
    breaks: 'sometimes',
    plant: (draft, random) =>
      random.chance(20) && draft.messages.push(user([text(draft), ...Array.from({ length: 101 }, image)])) > 0,
  },
  {
    name: 'error result with an image',
    breaks: 'always',
    plant: onPart(
      'tool_result',
      (part, draft) => void Object.assign(part, { is_error: true, content: [text(draft), image()] }),
    ),
  },
  {
    name: 'error result with only an image',
    breaks: 'always',
    plant: onPart('tool_result', (part) => void Object.assign(part, { is_error: true, content: [image()] })),
  },
  { name: 'empty result list', breaks: 'always', plant: onPart('tool_result', (part) => void (part['content'] = [])) },
  {
    name: 'empty text in a result',
    breaks: 'always',
    plant: onPart(
      'tool_result',
      (part, _draft, random) => void (part['content'] = [{ type: 'text', text: random.pick(['', ' ']) }]),
    ),
  },
  {
    name: 'call inside a result',
    breaks: 'always',
    plant: onPart(
      'tool_result',
      (part) => void (part['content'] = [{ type: 'tool_use', id: 'n', name: 'n', input: {} }]),
    ),
  },
  {
    name: 'result inside a result',
    breaks: 'always',
    plant: onPart(
      'tool_result',
      (part) => void (part['content'] = [{ type: 'tool_result', tool_use_id: 'n', content: 'nested' }]),
    ),
  },
  {
    name: 'wrong result content',
    breaks: 'always',
    plant: onPart(
      'tool_result',
      (part, _draft, random) =>
        void (part['content'] = random.pick<unknown>([7, { ok: true }, [7], ['x'], [{}], true])),
    ),
  },
  {
    name: 'toolset name lost',
    breaks: 'always',
    plant: onPart('tool_use', (part) => void (part['toolset_name'] = 'computer')),
  },
  {
    name: 'no tools declared',
    breaks: 'always',
    plant: (draft, random) => {
      if (!draft.body || spotsOf(draft, 'tool_use').length === 0) return false;
      if (random.chance(2)) delete draft.body['tools'];
      else draft.body['tools'] = [];
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

/** Ways in which single messages and their places go wrong. */
export const anthropicMessageDefects: readonly Defect[] = [...emptiness, ...reasoning, ...roles, ...shapes];
