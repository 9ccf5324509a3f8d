import type { Defect } from './draft.ts';
import {
  anyOf,
  cutText,
  defectsIn,
  emptied,
  freshId,
  freshText,
  GONE,
  inserting,
  set,
  wrongMessages,
} from './draft.ts';
import { builtinPair, call, prompt, request, response, result, retry, say } from './pydantic-drafts.ts';
import {
  spotsOf,
  onPart,
  onCall,
  onReturn,
  insertingBetweenSteps,
  takeOut,
  answersOf,
  batchOf,
  displace,
  rename,
} from './pydantic-places.ts';

const wrongParts: unknown[] = [null, 7, {}, 'text', undefined];

const pairs: Defect[] = defectsIn({
  always: {
    'dangling call': onCall((spot, draft) => {
      const answers = answersOf(draft, batchOf(spot));
      for (const found of answers) takeOut(draft, found);
      return answers.length > 0;
    }),
    'partly answered batch': onCall((spot, draft, random) => {
      const answers = answersOf(draft, batchOf(spot));
      const lost = anyOf(random, answers);
      if (answers.length < 2 || !lost) return false;
      takeOut(draft, lost);
      return true;
    }),
    'call at the end': (draft, random) =>
      draft.messages.push(response([say(draft), call(draft, random), call(draft, random)])) > 0,
    'orphan return': inserting((draft, random) => request([result(draft, freshId(draft, 'lost_'), random)])),
    'orphan retry-prompt': inserting((draft) => request([retry(draft, freshId(draft, 'lost_'))])),
    'duplicate return, same content': onReturn(
      ({ parts, fields: part }) => void parts.splice(parts.indexOf(part), 0, structuredClone(part)),
    ),
    'duplicate return, different content': onReturn(
      ({ parts, fields: part }, draft) =>
        void parts.splice(parts.indexOf(part), 0, { ...part, content: freshText(draft, 'other output') }),
    ),
    'retry-prompt and return for one call': onReturn(
      ({ parts, fields: part }, draft) => void parts.splice(parts.indexOf(part), 0, retry(draft, part['tool_call_id'])),
    ),
    'displaced return': onReturn((spot, draft, random) => displace(draft, spot, random)),
    'late return after a placeholder': onReturn((spot, draft, random) => {
      spot.parts.splice(spot.parts.indexOf(spot.fields), 0, {
        ...spot.fields,
        content: '[interrupted: no result was recorded]',
      });
      displace(draft, spot, random);
    }),
    'prompt between call and return': onCall(
      ({ index }, draft, random) => void draft.messages.splice(index + 1, 0, request([prompt(draft, random)])),
    ),
  },
  never: {
    'retry-prompt without a tool': insertingBetweenSteps((draft) =>
      request([
        { part_kind: 'retry-prompt', content: freshText(draft, 'say more'), tool_call_id: freshId(draft, 'retry_') },
      ]),
    ),
    'retry-prompt for a return': onPart.bind(undefined, ['tool-return'])(
      (spot, draft) =>
        void spot.parts.splice(spot.parts.indexOf(spot.fields), 1, retry(draft, spot.fields['tool_call_id'])),
    ),
    'return after its prompt': onReturn(({ parts }, draft, random) => void parts.unshift(prompt(draft, random))),
    'part that is no prompt between call and return': onReturn(({ index }, draft, random) => {
      const part_kind = random.pick(['text', 'thinking', 'file', 'system-prompt', 'future']);
      draft.messages.splice(index, 0, request([{ part_kind, content: freshText(draft, 'note') }]));
    }),
    'response between call and return': onCall(
      ({ index }, draft) => void draft.messages.splice(index + 1, 0, response([say(draft)])),
    ),
    'text after a call': onCall(({ parts }, draft) => void parts.push(say(draft))),
  },
});

const identity: Defect[] = defectsIn({
  always: {
    'duplicate id in a response, both answered': onCall((spot, draft, random) => {
      const id = String(spot.fields['tool_call_id']);
      answersOf(draft, [id])[0]?.parts.unshift(result(draft, id, random));
      spot.parts.push(call(draft, random, id));
    }),
    'duplicate id in a response, answered once': onCall(
      ({ parts, fields: part }, draft, random) => void parts.push(call(draft, random, String(part['tool_call_id']))),
    ),
    'empty id': onCall((spot, draft) => rename(draft, spot, '')),
    'id changed on one side': onCall(({ fields: part }, draft) => void (part['tool_call_id'] = freshId(draft, 'pyd_'))),
    'missing call id': onCall(set('tool_call_id', GONE, 7, null, {})),
    'missing return id': onReturn(set('tool_call_id', GONE)),
    'missing tool name': onCall(set('tool_name', GONE, 7, null)),
    'legacy tool calls, open': insertingBetweenSteps((draft, random) => ({
      ...response([say(draft)]),
      tool_calls: [call(draft, random)],
    })),
  },
  sometimes: {
    'arguments of a wrong type': onCall(set('args', 7, true, [1])),
  },
  never: {
    're-used id across turns': onCall((spot, draft) => {
      const earlier = spotsOf(draft, ['tool-call']).find(({ index }) => index < spot.index);
      if (!earlier) return false;
      rename(draft, spot, earlier.fields['tool_call_id']);
      return true;
    }),
    'id of unusual characters': onCall((spot, draft) => rename(draft, spot, freshId(draft, 'functions.f:'))),
    'truncated arguments': onCall(set('args', '{"path":"a')),
    'absent arguments': onCall(set('args', GONE)),
    'legacy tool calls that parts carry': onCall(
      ({ message, fields: part }) => void (message['tool_calls'] = [structuredClone(part)]),
    ),
  },
});

const builtin: Defect[] = defectsIn({
  always: {
    'open builtin call': insertingBetweenSteps((draft) => response([...builtinPair(draft).slice(0, 1), say(draft)])),
    'orphan builtin return': insertingBetweenSteps((draft) => response([...builtinPair(draft).slice(1), say(draft)])),
    'builtin return twice': insertingBetweenSteps((draft) => {
      const pair = builtinPair(draft);
      return response([...pair, ...pair.slice(1), say(draft)]);
    }),
  },
  sometimes: {
    'builtin return in a request': insertingBetweenSteps((draft) => request(builtinPair(draft).slice(1))),
  },
  never: {
    'native pair': insertingBetweenSteps((draft) =>
      response([
        ...builtinPair(draft).map((part) => ({
          ...part,
          part_kind: String(part['part_kind']).replace('builtin', 'native'),
        })),
        say(draft),
      ]),
    ),
  },
});

const messages: Defect[] = defectsIn({
  always: {
    'no message at all': inserting((_draft, random) => random.pick(wrongMessages)),
    'wrong kind': insertingBetweenSteps((draft, random) => ({
      kind: random.pick<unknown>(['reply', 7, null, undefined]),
      parts: [say(draft)],
    })),
    'wrong parts': insertingBetweenSteps((_draft, random) => ({
      kind: 'request',
      parts: random.pick<unknown>([null, 7, {}, 'text']),
    })),
    'wrong part': insertingBetweenSteps((draft, random) => request([prompt(draft, random), random.pick(wrongParts)])),
    'lone surrogate in a prompt': insertingBetweenSteps((draft, random) =>
      request([{ part_kind: 'user-prompt', content: cutText(draft, random) }]),
    ),
    'lone surrogate in arguments': onCall(set('args', { 'k\ud800': 'v\udc00', 'k\ufffd': 1 })),
    'lone surrogate in a name': onCall(set('tool_name', 'read\ud800')),
    'lone surrogate in an id': onCall((spot, draft) => rename(draft, spot, 'id\ud800')),
    'lone surrogate in a return': onReturn(set('content', { deep: ['\udc00'] })),
  },
  sometimes: {
    'empty response': insertingBetweenSteps(() => response([])),
    'empty request': insertingBetweenSteps(() => request([])),
    'call in a request': insertingBetweenSteps((draft, random) => request([call(draft, random)])),
    'return in a response': onCall(
      ({ parts, fields: part }, draft, random) => void parts.push(result(draft, part['tool_call_id'], random)),
    ),
    'trailing response': (draft) => draft.messages.push(response([say(draft)])) > 0,
    'empty list': emptied,
  },
  never: {
    'empty text': insertingBetweenSteps(() => response([{ part_kind: 'text', content: '' }])),
    'consecutive requests': insertingBetweenSteps((draft, random) => request([prompt(draft, random)])),
    'consecutive responses': insertingBetweenSteps((draft) => response([say(draft)])),
    'extra keys': insertingBetweenSteps((draft, random) => ({
      ...request([{ ...prompt(draft, random), flavour: 'x' }]),
      run_id: 'r',
      metadata: { a: 1 },
    })),
  },
});

/** Ways in which pydantic-ai histories go wrong. */
export const pydanticDefects: readonly Defect[] = [...pairs, ...identity, ...builtin, ...messages];
