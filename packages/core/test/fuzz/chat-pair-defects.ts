import { call, result, userMessage } from './chat-drafts.ts';
import {
  isCalling,
  onCall,
  onResult,
  inserting,
  insertingBetweenSteps,
  answersOf,
  remove,
  displace,
  rename,
  functionOf,
} from './chat-places.ts';
import { anyOf, freshId, freshText, isFields, listOf, placesOf, type Defect } from './draft.ts';

const wrongArguments: unknown[] = [{ path: 'a' }, null, 7, undefined, [1], true];

const pairs: Defect[] = [
  {
    name: 'dangling call',
    breaks: 'always',
    plant: onCall(({ calls }, draft) => {
      const answers = answersOf(draft, calls);
      for (const found of answers) remove(draft, found);
      return answers.length > 0;
    }),
  },
  {
    name: 'partly answered batch',
    breaks: 'always',
    plant: onCall((spot, draft, random) => {
      const answers = answersOf(draft, spot.calls);
      const lost = anyOf(random, answers);
      if (answers.length < 2 || !lost) return false;
      remove(draft, lost);
      return true;
    }),
  },
  {
    name: 'call at the end',
    breaks: 'always',
    plant: (draft) =>
      draft.messages.push({ role: 'assistant', content: null, tool_calls: [call(draft), call(draft)] }) > 0,
  },
  {
    name: 'orphan result',
    breaks: 'always',
    plant: inserting((draft, random) => result(draft, freshId(draft, 'call_lost_'), random)),
  },
  {
    name: 'leading result',
    breaks: 'always',
    plant: (draft, random) => draft.messages.unshift(result(draft, 'call_cut', random)) > 0,
  },
  {
    name: 'duplicate result, same content',
    breaks: 'always',
    plant: onResult((message, draft, { index }) => void draft.messages.splice(index, 0, structuredClone(message))),
  },
  {
    name: 'duplicate result, different content',
    breaks: 'always',
    plant: onResult(
      (message, draft, { index }) =>
        void draft.messages.splice(index, 0, { ...message, content: freshText(draft, 'other output') }),
    ),
  },
  {
    name: 'displaced result',
    breaks: 'always',
    plant: onResult((message, draft, { random }) => displace(draft, message, random)),
  },
  {
    name: 'late result after a placeholder',
    breaks: 'always',
    plant: onResult((message, draft, { index, random }) => {
      draft.messages.splice(index, 0, { ...message, content: '[interrupted: no result was recorded]' });
      displace(draft, message, random);
    }),
  },
  {
    name: 'user text between call and result',
    breaks: 'always',
    plant: onCall(({ index }, draft, random) => void draft.messages.splice(index + 1, 0, userMessage(draft, random))),
  },
  {
    name: 'system between call and result',
    breaks: 'always',
    plant: onCall(
      ({ index }, draft) =>
        void draft.messages.splice(index + 1, 0, { role: 'system', content: freshText(draft, 'note') }),
    ),
  },
  {
    name: 'missing result id',
    breaks: 'always',
    plant: onResult(
      (message, _draft, { random }) =>
        void (random.chance(2) ? delete message['tool_call_id'] : (message['tool_call_id'] = 7)),
    ),
  },
];

const identity: Defect[] = [
  {
    name: 'duplicate id in a batch, both answered',
    breaks: 'always',
    plant: onCall((spot, draft, random) => {
      spot.calls.push(call(draft, String(spot.call['id'])));
      draft.messages.splice(spot.index + 1, 0, result(draft, spot.call['id'], random));
    }),
  },
  {
    name: 'duplicate id in a batch, answered once',
    breaks: 'always',
    plant: onCall((spot, draft) => void spot.calls.push(call(draft, String(spot.call['id'])))),
  },
  {
    name: 're-used id across turns',
    breaks: 'never',
    plant: onCall((spot, draft) => {
      const earlier = placesOf(draft, isCalling).find(({ index }) => index < spot.index);
      const first = listOf(earlier?.message, 'tool_calls')[0];
      if (!isFields(first)) return false;
      rename(draft, spot, first['id']);
      return true;
    }),
  },
  {
    name: 'over-long id',
    breaks: 'always',
    plant: onCall((spot, draft, random) =>
      rename(draft, spot, freshId(draft, random.pick(['call_'.repeat(9), 'x'.repeat(500)]))),
    ),
  },
  {
    name: 'over-long ids with one beginning',
    breaks: 'always',
    plant: onCall((spot, draft, random) => {
      const other = call(draft, `${'a'.repeat(45)}2`);
      spot.calls.push(other);
      draft.messages.splice(spot.index + 1, 0, result(draft, other['id'], random));
      rename(draft, spot, `${'a'.repeat(45)}1`);
    }),
  },
  {
    name: 'id of unusual characters',
    breaks: 'never',
    plant: onCall((spot, draft) => rename(draft, spot, freshId(draft, 'functions.f:'))),
  },
  { name: 'empty id', breaks: 'always', plant: onCall((spot, draft) => rename(draft, spot, '')) },
  {
    name: 'id changed on one side',
    breaks: 'always',
    plant: onCall((spot, draft) => void (spot.call['id'] = freshId(draft, 'call_'))),
  },
  {
    name: 'missing call id',
    breaks: 'always',
    plant: onCall(
      ({ call: asked }, _draft, random) =>
        void (random.chance(2) ? delete asked['id'] : (asked['id'] = random.pick<unknown>([7, null, {}]))),
    ),
  },
  {
    name: 'missing name',
    breaks: 'always',
    plant: onCall((spot, _draft, random) => {
      if (random.chance(2)) delete functionOf(spot)['name'];
      else functionOf(spot)['name'] = random.pick<unknown>([7, null]);
    }),
  },
  {
    name: 'illegal name',
    breaks: 'always',
    plant: onCall((spot, _draft, random) => {
      if (spot.call['type'] !== 'function') return false;
      functionOf(spot)['name'] = random.pick(['', 'a b', 'n'.repeat(65), 'é']);
      return true;
    }),
  },
  {
    name: 'missing call type',
    breaks: 'always',
    plant: onCall(
      ({ call: asked }, _draft, random) =>
        void (random.chance(2) ? delete asked['type'] : (asked['type'] = random.pick<unknown>(['tool', null, 7]))),
    ),
  },
  {
    name: 'missing function',
    breaks: 'always',
    plant: onCall(({ call: asked }) => void (delete asked['function'], delete asked['custom'])),
  },
  {
    name: 'arguments that are no string',
    breaks: 'always',
    plant: onCall((spot, _draft, random) => {
      const key = spot.call['type'] === 'custom' ? 'input' : 'arguments';
      functionOf(spot)[key] = random.pick(wrongArguments);
    }),
  },
  {
    name: 'truncated arguments',
    breaks: 'never',
    plant: onCall((spot) => {
      if (spot.call['type'] !== 'function') return false;
      functionOf(spot)['arguments'] = '{"path":"a';
      return true;
    }),
  },
  {
    name: 'empty call list',
    breaks: 'always',
    plant: insertingBetweenSteps((draft) => ({ role: 'assistant', content: freshText(draft, 'said'), tool_calls: [] })),
  },
  {
    name: 'null call list',
    breaks: 'never',
    plant: insertingBetweenSteps((draft) => ({
      role: 'assistant',
      content: freshText(draft, 'said'),
      tool_calls: null,
    })),
  },
  {
    name: 'wrong call list',
    breaks: 'always',
    plant: insertingBetweenSteps((draft, random) => ({
      role: 'assistant',
      content: freshText(draft, 'said'),
      tool_calls: random.pick<unknown>([{}, 'x', 7, [null], ['x'], [{}]]),
    })),
  },
];

/** Ways in which chat calls and results lose one another. */
export const chatPairDefects: readonly Defect[] = [...pairs, ...identity];
