import type { Defect } from './draft.ts';
import { anyOf, defectsIn, freshId, freshText, GONE, inserting, isFields, listOf, placesOf, set } from './draft.ts';
import { call, result, userMessage } from './chat-drafts.ts';
import {
  isCalling,
  onCall,
  onResult,
  insertingBetweenSteps,
  answersOf,
  remove,
  displace,
  rename,
  functionOf,
} from './chat-places.ts';

const wrongArguments: unknown[] = [{ path: 'a' }, null, 7, undefined, [1], true];

const pairs: Defect[] = defectsIn({
  always: {
    'dangling call': onCall(({ calls }, draft) => {
      const answers = answersOf(draft, calls);
      for (const found of answers) remove(draft, found);
      return answers.length > 0;
    }),
    'partly answered batch': onCall((spot, draft, random) => {
      const answers = answersOf(draft, spot.calls);
      const lost = anyOf(random, answers);
      if (answers.length < 2 || !lost) return false;
      remove(draft, lost);
      return true;
    }),
    'call at the end': (draft) =>
      draft.messages.push({ role: 'assistant', content: null, tool_calls: [call(draft), call(draft)] }) > 0,
    'orphan result': inserting((draft, random) => result(draft, freshId(draft, 'call_lost_'), random)),
    'leading result': (draft, random) => draft.messages.unshift(result(draft, 'call_cut', random)) > 0,
    'duplicate result, same content': onResult(
      ({ index, fields: message }, draft) => void draft.messages.splice(index, 0, structuredClone(message)),
    ),
    'duplicate result, different content': onResult(
      ({ index, fields: message }, draft) =>
        void draft.messages.splice(index, 0, { ...message, content: freshText(draft, 'other output') }),
    ),
    'displaced result': onResult(({ fields: message }, draft, random) => displace(draft, message, random)),
    'late result after a placeholder': onResult(({ index, fields: message }, draft, random) => {
      draft.messages.splice(index, 0, { ...message, content: '[interrupted: no result was recorded]' });
      displace(draft, message, random);
    }),
    'user text between call and result': onCall(
      ({ index }, draft, random) => void draft.messages.splice(index + 1, 0, userMessage(draft, random)),
    ),
    'system between call and result': onCall(
      ({ index }, draft) =>
        void draft.messages.splice(index + 1, 0, { role: 'system', content: freshText(draft, 'note') }),
    ),
    'missing result id': onResult(set('tool_call_id', GONE, 7)),
  },
});

const identity: Defect[] = defectsIn({
  always: {
    'duplicate id in a batch, both answered': onCall((spot, draft, random) => {
      spot.calls.push(call(draft, String(spot.fields['id'])));
      draft.messages.splice(spot.index + 1, 0, result(draft, spot.fields['id'], random));
    }),
    'duplicate id in a batch, answered once': onCall(
      (spot, draft) => void spot.calls.push(call(draft, String(spot.fields['id']))),
    ),
    'over-long id': onCall((spot, draft, random) =>
      rename(draft, spot, freshId(draft, random.pick(['call_'.repeat(9), 'x'.repeat(500)]))),
    ),
    'over-long ids with one beginning': onCall((spot, draft, random) => {
      const other = call(draft, `${'a'.repeat(45)}2`);
      spot.calls.push(other);
      draft.messages.splice(spot.index + 1, 0, result(draft, other['id'], random));
      rename(draft, spot, `${'a'.repeat(45)}1`);
    }),
    'empty id': onCall((spot, draft) => rename(draft, spot, '')),
    'id changed on one side': onCall((spot, draft) => void (spot.fields['id'] = freshId(draft, 'call_'))),
    'missing call id': onCall(set('id', GONE, 7, null, {})),
    'missing name': onCall((spot, _draft, random) => {
      if (random.chance(2)) delete functionOf(spot)['name'];
      else functionOf(spot)['name'] = random.pick<unknown>([7, null]);
    }),
    'illegal name': onCall((spot, _draft, random) => {
      if (spot.fields['type'] !== 'function') return false;
      functionOf(spot)['name'] = random.pick(['', 'a b', 'n'.repeat(65), 'é']);
      return true;
    }),
    'missing call type': onCall(set('type', GONE, 'tool', null, 7)),
    'missing function': onCall(({ fields: asked }) => void (delete asked['function'], delete asked['custom'])),
    'arguments that are no string': onCall((spot, _draft, random) => {
      const key = spot.fields['type'] === 'custom' ? 'input' : 'arguments';
      functionOf(spot)[key] = random.pick(wrongArguments);
    }),
    'empty call list': insertingBetweenSteps((draft) => ({
      role: 'assistant',
      content: freshText(draft, 'said'),
      tool_calls: [],
    })),
    'wrong call list': insertingBetweenSteps((draft, random) => ({
      role: 'assistant',
      content: freshText(draft, 'said'),
      tool_calls: random.pick<unknown>([{}, 'x', 7, [null], ['x'], [{}]]),
    })),
  },
  never: {
    're-used id across turns': onCall((spot, draft) => {
      const earlier = placesOf(draft, isCalling).find(({ index }) => index < spot.index);
      const first = listOf(earlier?.message, 'tool_calls')[0];
      if (!isFields(first)) return false;
      rename(draft, spot, first['id']);
      return true;
    }),
    'id of unusual characters': onCall((spot, draft) => rename(draft, spot, freshId(draft, 'functions.f:'))),
    'truncated arguments': onCall((spot) => {
      if (spot.fields['type'] !== 'function') return false;
      functionOf(spot)['arguments'] = '{"path":"a';
      return true;
    }),
    'null call list': insertingBetweenSteps((draft) => ({
      role: 'assistant',
      content: freshText(draft, 'said'),
      tool_calls: null,
    })),
  },
});

/** Ways in which chat calls and results lose one another. */
export const chatPairDefects: readonly Defect[] = [...pairs, ...identity];
