import { builtinPair, call, prompt, request, response, result, retry, say } from './pydantic-drafts.ts';
import {
  spotsOf,
  onPart,
  onCall,
  onReturn,
  inserting,
  insertingBetweenSteps,
  takeOut,
  answersOf,
  batchOf,
  displace,
  rename,
} from './pydantic-places.ts';
import { anyOf, freshId, freshText, type Defect } from './draft.ts';

const wrongMessages: unknown[] = [null, undefined, 'text', 7, [], {}, true];
const wrongParts: unknown[] = [null, 7, {}, 'text', undefined];

const pairs: Defect[] = [
  {
    name: 'dangling call',
    breaks: 'always',
    plant: onCall((spot, draft) => {
      const answers = answersOf(draft, batchOf(spot));
      for (const found of answers) takeOut(draft, found);
      return answers.length > 0;
    }),
  },
  {
    name: 'partly answered batch',
    breaks: 'always',
    plant: onCall((spot, draft, random) => {
      const answers = answersOf(draft, batchOf(spot));
      const lost = anyOf(random, answers);
      if (answers.length < 2 || !lost) return false;
      takeOut(draft, lost);
      return true;
    }),
  },
  {
    name: 'call at the end',
    breaks: 'always',
    plant: (draft, random) => draft.messages.push(response([say(draft), call(draft, random), call(draft, random)])) > 0,
  },
  {
    name: 'orphan return',
    breaks: 'always',
    plant: inserting((draft, random) => request([result(draft, freshId(draft, 'lost_'), random)])),
  },
  {
    name: 'orphan retry-prompt',
    breaks: 'always',
    plant: inserting((draft) => request([retry(draft, freshId(draft, 'lost_'))])),
  },
  {
    name: 'retry-prompt without a tool',
    breaks: 'never',
    plant: insertingBetweenSteps((draft) =>
      request([
        { part_kind: 'retry-prompt', content: freshText(draft, 'say more'), tool_call_id: freshId(draft, 'retry_') },
      ]),
    ),
  },
  {
    name: 'retry-prompt for a return',
    breaks: 'never',
    plant: onPart.bind(undefined, ['tool-return'])(
      (spot, draft) =>
        void spot.parts.splice(spot.parts.indexOf(spot.part), 1, retry(draft, spot.part['tool_call_id'])),
    ),
  },
  {
    name: 'duplicate return, same content',
    breaks: 'always',
    plant: onReturn(({ parts, part }) => void parts.splice(parts.indexOf(part), 0, structuredClone(part))),
  },
  {
    name: 'duplicate return, different content',
    breaks: 'always',
    plant: onReturn(
      ({ parts, part }, draft) =>
        void parts.splice(parts.indexOf(part), 0, { ...part, content: freshText(draft, 'other output') }),
    ),
  },
  {
    name: 'retry-prompt and return for one call',
    breaks: 'always',
    plant: onReturn(
      ({ parts, part }, draft) => void parts.splice(parts.indexOf(part), 0, retry(draft, part['tool_call_id'])),
    ),
  },
  {
    name: 'displaced return',
    breaks: 'always',
    plant: onReturn((spot, draft, random) => displace(draft, spot, random)),
  },
  {
    name: 'late return after a placeholder',
    breaks: 'always',
    plant: onReturn((spot, draft, random) => {
      spot.parts.splice(spot.parts.indexOf(spot.part), 0, {
        ...spot.part,
        content: '[interrupted: no result was recorded]',
      });
      displace(draft, spot, random);
    }),
  },
  {
    name: 'return after its prompt',
    breaks: 'never',
    plant: onReturn(({ parts }, draft, random) => void parts.unshift(prompt(draft, random))),
  },
  {
    name: 'prompt between call and return',
    breaks: 'always',
    plant: onCall(
      ({ index }, draft, random) => void draft.messages.splice(index + 1, 0, request([prompt(draft, random)])),
    ),
  },
  {
    name: 'part that is no prompt between call and return',
    breaks: 'never',
    plant: onReturn(({ index }, draft, random) => {
      const part_kind = random.pick(['text', 'thinking', 'file', 'system-prompt', 'future']);
      draft.messages.splice(index, 0, request([{ part_kind, content: freshText(draft, 'note') }]));
    }),
  },
  {
    name: 'response between call and return',
    breaks: 'never',
    plant: onCall(({ index }, draft) => void draft.messages.splice(index + 1, 0, response([say(draft)]))),
  },
  { name: 'text after a call', breaks: 'never', plant: onCall(({ parts }, draft) => void parts.push(say(draft))) },
];

const identity: Defect[] = [
  {
    name: 'duplicate id in a response, both answered',
    breaks: 'always',
    plant: onCall((spot, draft, random) => {
      const id = String(spot.part['tool_call_id']);
      answersOf(draft, [id])[0]?.parts.unshift(result(draft, id, random));
      spot.parts.push(call(draft, random, id));
    }),
  },
  {
    name: 'duplicate id in a response, answered once',
    breaks: 'always',
    plant: onCall(
      ({ parts, part }, draft, random) => void parts.push(call(draft, random, String(part['tool_call_id']))),
    ),
  },
  {
    name: 're-used id across turns',
    breaks: 'never',
    plant: onCall((spot, draft) => {
      const earlier = spotsOf(draft, ['tool-call']).find(({ index }) => index < spot.index);
      if (!earlier) return false;
      rename(draft, spot, earlier.part['tool_call_id']);
      return true;
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
    plant: onCall(({ part }, draft) => void (part['tool_call_id'] = freshId(draft, 'pyd_'))),
  },
  {
    name: 'missing call id',
    breaks: 'always',
    plant: onCall(
      ({ part }, _draft, random) =>
        void (random.chance(2)
          ? delete part['tool_call_id']
          : (part['tool_call_id'] = random.pick<unknown>([7, null, {}]))),
    ),
  },
  { name: 'missing return id', breaks: 'always', plant: onReturn(({ part }) => void delete part['tool_call_id']) },
  {
    name: 'missing tool name',
    breaks: 'always',
    plant: onCall(
      ({ part }, _draft, random) =>
        void (random.chance(2) ? delete part['tool_name'] : (part['tool_name'] = random.pick<unknown>([7, null]))),
    ),
  },
  { name: 'truncated arguments', breaks: 'never', plant: onCall(({ part }) => void (part['args'] = '{"path":"a')) },
  { name: 'absent arguments', breaks: 'never', plant: onCall(({ part }) => void delete part['args']) },
  {
    name: 'arguments of a wrong type',
    breaks: 'sometimes',
    plant: onCall(({ part }, _draft, random) => void (part['args'] = random.pick<unknown>([7, true, [1]]))),
  },
  {
    name: 'legacy tool calls, open',
    breaks: 'always',
    plant: insertingBetweenSteps((draft, random) => ({ ...response([say(draft)]), tool_calls: [call(draft, random)] })),
  },
  {
    name: 'legacy tool calls that parts carry',
    breaks: 'never',
    plant: onCall(({ message, part }) => void (message['tool_calls'] = [structuredClone(part)])),
  },
];

const builtin: Defect[] = [
  {
    name: 'open builtin call',
    breaks: 'always',
    plant: insertingBetweenSteps((draft) => response([...builtinPair(draft).slice(0, 1), say(draft)])),
  },
  {
    name: 'orphan builtin return',
    breaks: 'always',
    plant: insertingBetweenSteps((draft) => response([...builtinPair(draft).slice(1), say(draft)])),
  },
  {
    name: 'builtin return twice',
    breaks: 'always',
    plant: insertingBetweenSteps((draft) => {
      const pair = builtinPair(draft);
      return response([...pair, ...pair.slice(1), say(draft)]);
    }),
  },
  {
    name: 'builtin return in a request',
    breaks: 'sometimes',
    plant: insertingBetweenSteps((draft) => request(builtinPair(draft).slice(1))),
  },
  {
    name: 'native pair',
    breaks: 'never',
    plant: insertingBetweenSteps((draft) =>
      response([
        ...builtinPair(draft).map((part) => ({
          ...part,
          part_kind: String(part['part_kind']).replace('builtin', 'native'),
        })),
        say(draft),
      ]),
    ),
  },
];

const messages: Defect[] = [
  { name: 'empty response', breaks: 'sometimes', plant: insertingBetweenSteps(() => response([])) },
  { name: 'empty request', breaks: 'sometimes', plant: insertingBetweenSteps(() => request([])) },
  {
    name: 'empty text',
    breaks: 'never',
    plant: insertingBetweenSteps(() => response([{ part_kind: 'text', content: '' }])),
  },
  { name: 'no message at all', breaks: 'always', plant: inserting((_draft, random) => random.pick(wrongMessages)) },
  {
    name: 'wrong kind',
    breaks: 'always',
    plant: insertingBetweenSteps((draft, random) => ({
      kind: random.pick<unknown>(['reply', 7, null, undefined]),
      parts: [say(draft)],
    })),
  },
  {
    name: 'wrong parts',
    breaks: 'always',
    plant: insertingBetweenSteps((_draft, random) => ({
      kind: 'request',
      parts: random.pick<unknown>([null, 7, {}, 'text']),
    })),
  },
  {
    name: 'wrong part',
    breaks: 'always',
    plant: insertingBetweenSteps((draft, random) => request([prompt(draft, random), random.pick(wrongParts)])),
  },
  {
    name: 'call in a request',
    breaks: 'sometimes',
    plant: insertingBetweenSteps((draft, random) => request([call(draft, random)])),
  },
  {
    name: 'return in a response',
    breaks: 'sometimes',
    plant: onCall(({ parts, part }, draft, random) => void parts.push(result(draft, part['tool_call_id'], random))),
  },
  {
    name: 'consecutive requests',
    breaks: 'never',
    plant: insertingBetweenSteps((draft, random) => request([prompt(draft, random)])),
  },
  { name: 'consecutive responses', breaks: 'never', plant: insertingBetweenSteps((draft) => response([say(draft)])) },
  { name: 'trailing response', breaks: 'sometimes', plant: (draft) => draft.messages.push(response([say(draft)])) > 0 },
  {
    name: 'extra keys',
    breaks: 'never',
    plant: insertingBetweenSteps((draft, random) => ({
      ...request([{ ...prompt(draft, random), flavour: 'x' }]),
      run_id: 'r',
      metadata: { a: 1 },
    })),
  },
  {
    name: 'lone surrogate in a prompt',
    breaks: 'always',
    plant: insertingBetweenSteps((draft, random) =>
      request([{ part_kind: 'user-prompt', content: freshText(draft, `cut ${random.pick(['\ud83d', '\udca9'])}`) }]),
    ),
  },
  {
    name: 'lone surrogate in arguments',
    breaks: 'always',
    plant: onCall(({ part }) => void (part['args'] = { 'k\ud800': 'v\udc00', 'k\ufffd': 1 })),
  },
  {
    name: 'lone surrogate in a name',
    breaks: 'always',
    plant: onCall(({ part }) => void (part['tool_name'] = 'read\ud800')),
  },
  {
    name: 'lone surrogate in an id',
    breaks: 'always',
    plant: onCall((spot, draft) => rename(draft, spot, 'id\ud800')),
  },
  {
    name: 'lone surrogate in a return',
    breaks: 'always',
    plant: onReturn(({ part }) => void (part['content'] = { deep: ['\udc00'] })),
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

/** Ways in which pydantic-ai histories go wrong. */
export const pydanticDefects: readonly Defect[] = [...pairs, ...identity, ...builtin, ...messages];
