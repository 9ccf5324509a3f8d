import { call, result, serverPair, text, thinking, userMessage } from './anthropic-drafts.ts';
import {
  anySpot,
  putBeforeCalls,
  resultOf,
  resultsOf,
  spotsOf,
  takeOut,
  withRole,
  type Spot,
} from './anthropic-places.ts';
import { anyOf, freshId, freshText, isFields, placesOf, type Defect, type Draft, type Fields } from './draft.ts';
import type { Random } from './random.ts';

const answer = (draft: Draft): Fields => ({ role: 'assistant', content: [text(draft, 'answer')] });

/** Moves a part into a user message that a later assistant turn separates from where it stood. */
function moveBehindAssistant(draft: Draft, random: Random, spot: Spot): void {
  takeOut(draft, spot);
  let later = placesOf(draft, withRole('assistant')).filter(({ index }) => index > spot.index);
  if (later.length === 0) {
    draft.messages.push(answer(draft));
    later = [{ index: draft.messages.length - 1, message: {} }];
  }
  const behind = (anyOf(random, later)?.index ?? 0) + 1;
  draft.messages.splice(behind, 0, { role: 'user', content: [spot.part] });
}

/** Gives a call and its result a new id each; the same one unless told otherwise. */
function rename(draft: Draft, spot: Spot, ids: { call: unknown; result?: unknown }): void {
  const answered = resultOf(draft, spot.part['id']);
  spot.part['id'] = ids.call;
  if (answered) answered.part['tool_use_id'] = 'result' in ids ? ids.result : ids.call;
}

/** Runs a change on one part of a type, if the draft has any. */
function onPart(type: string, change: (spot: Spot, draft: Draft, random: Random) => boolean | void): Defect['plant'] {
  return (draft, random) => {
    const spot = anySpot(draft, random, type);
    return spot !== undefined && change(spot, draft, random) !== false;
  };
}

const onCall = onPart.bind(undefined, 'tool_use');
const onResult = onPart.bind(undefined, 'tool_result');
const onServerCall = onPart.bind(undefined, 'server_tool_use');
const onServerResult = onPart.bind(undefined, 'web_search_tool_result');

const illegalIds = ['functions.read:0', 'call|1', 'tool use', 'é', 'a/b', `${'x'.repeat(70)}.`, ''];
const illegalNames: unknown[] = ['', 'n'.repeat(201), 7, null, undefined];
const illegalInputs: unknown[] = ['{"path":"a', '{"path":"a"}', 'plain', '', null, 7, true, [1], undefined];

const pairs: Defect[] = [
  {
    name: 'dangling call',
    breaks: 'always',
    plant: onCall((spot, draft) => {
      const answers = resultsOf(draft, spot);
      for (const found of answers) takeOut(draft, found);
      return answers.length > 0;
    }),
  },
  {
    name: 'partly answered batch',
    breaks: 'always',
    plant: onCall((spot, draft, random) => {
      const answers = resultsOf(draft, spot);
      const lost = anyOf(random, answers);
      if (answers.length < 2 || !lost) return false;
      takeOut(draft, lost);
      return true;
    }),
  },
  {
    name: 'orphan result',
    breaks: 'always',
    plant: (draft, random) => {
      const part = result(draft, freshId(draft, 'toolu_lost_'), random);
      const into = anyOf(
        random,
        placesOf(draft, (message) => withRole('user')(message) && Array.isArray(message['content'])),
      );
      if (into && random.chance(2) && Array.isArray(into.message['content'])) into.message['content'].unshift(part);
      else draft.messages.splice(random.between(0, draft.messages.length), 0, { role: 'user', content: [part] });
      return true;
    },
  },
  {
    name: 'duplicate result, same content',
    breaks: 'always',
    plant: onResult(({ parts, at, part }) => void parts.splice(at, 0, structuredClone(part))),
  },
  {
    name: 'duplicate result, different content',
    breaks: 'always',
    plant: onResult(
      ({ parts, at, part }, draft) => void parts.splice(at, 0, { ...part, content: freshText(draft, 'other output') }),
    ),
  },
  {
    name: 'duplicate result, later',
    breaks: 'always',
    plant: onResult((spot, draft, random) => {
      spot.parts.splice(spot.at, 0, { ...spot.part, content: freshText(draft, 'other output') });
      moveBehindAssistant(draft, random, spot);
    }),
  },
  {
    name: 'displaced result',
    breaks: 'always',
    plant: onResult((spot, draft, random) => moveBehindAssistant(draft, random, spot)),
  },
  {
    name: 'late result after a placeholder',
    breaks: 'always',
    plant: onResult((spot, draft, random) => {
      const placeholder = { type: 'tool_result', tool_use_id: spot.part['tool_use_id'], is_error: true };
      spot.parts.splice(spot.at, 0, { ...placeholder, content: '[interrupted: no result was recorded]' });
      moveBehindAssistant(draft, random, spot);
    }),
  },
  {
    name: 'result after text',
    breaks: 'always',
    plant: onResult(({ parts, at }, draft) => void parts.splice(at, 0, text(draft, 'early'))),
  },
  {
    name: 'text after a call',
    breaks: 'always',
    plant: onCall(({ parts, at }, draft) => void parts.splice(at + 1, 0, text(draft, 'trailing'))),
  },
  {
    name: 'server parts after a call',
    breaks: 'always',
    plant: onCall(({ parts, at }, draft) => void parts.splice(at + 1, 0, ...serverPair(draft))),
  },
  {
    name: 'answer after a call',
    breaks: 'always',
    plant: onCall(({ index }, draft) => void draft.messages.splice(index + 1, 0, answer(draft))),
  },
  {
    name: 'user text between call and result',
    breaks: 'always',
    plant: onCall(({ index }, draft, random) => void draft.messages.splice(index + 1, 0, userMessage(draft, random))),
  },
  {
    name: 'call at the end',
    breaks: 'always',
    plant: (draft) => draft.messages.push({ role: 'assistant', content: [text(draft), call(draft), call(draft)] }) > 0,
  },
];

const identity: Defect[] = [
  {
    name: 'duplicate id in a turn, both answered',
    breaks: 'always',
    plant: onCall((spot, draft, random) => {
      const answered = resultOf(draft, spot.part['id']);
      spot.parts.splice(spot.at + 1, 0, call(draft, String(spot.part['id'])));
      answered?.parts.splice(answered.at + 1, 0, result(draft, spot.part['id'], random));
    }),
  },
  {
    name: 'duplicate id in a turn, answered once',
    breaks: 'always',
    plant: onCall(({ parts, at, part }, draft) => void parts.splice(at + 1, 0, call(draft, String(part['id'])))),
  },
  {
    name: 're-used id across turns',
    breaks: 'never',
    plant: onCall((spot, draft) => {
      const earlier = spotsOf(draft, 'tool_use').find(({ index }) => index < spot.index);
      if (!earlier) return false;
      rename(draft, spot, { call: earlier.part['id'] });
      return true;
    }),
  },
  {
    name: 'illegal id',
    breaks: 'always',
    plant: onCall((spot, draft, random) => rename(draft, spot, { call: random.pick(illegalIds) })),
  },
  {
    name: 'illegal ids that collide when cleaned',
    breaks: 'always',
    plant: onCall((spot, draft, random) => {
      const answered = resultOf(draft, spot.part['id']);
      spot.parts.splice(spot.at + 1, 0, call(draft, 'a:b'));
      answered?.parts.splice(answered.at + 1, 0, result(draft, 'a:b', random));
      rename(draft, spot, { call: 'a.b' });
    }),
  },
  {
    name: 'over-long id',
    breaks: 'never',
    plant: onCall((spot, draft) => rename(draft, spot, { call: freshId(draft, 'long_'.repeat(20)) })),
  },
  {
    name: 'id changed on one side',
    breaks: 'always',
    plant: onCall((spot, draft) => rename(draft, spot, { call: freshId(draft, 'toolu_'), result: spot.part['id'] })),
  },
  {
    name: 'missing call id',
    breaks: 'always',
    plant: onCall(
      ({ part }, _draft, random) =>
        void (random.chance(2) ? delete part['id'] : (part['id'] = random.pick<unknown>([7, {}, false]))),
    ),
  },
  {
    name: 'missing result id',
    breaks: 'always',
    plant: onResult(
      ({ part }, _draft, random) => void (random.chance(2) ? delete part['tool_use_id'] : (part['tool_use_id'] = 7)),
    ),
  },
  {
    name: 'illegal name',
    breaks: 'always',
    plant: onCall(({ part }, _draft, random) => void (part['name'] = random.pick(illegalNames))),
  },
  {
    name: 'arguments that are no object',
    breaks: 'always',
    plant: onCall(({ part }, _draft, random) => void (part['input'] = random.pick(illegalInputs))),
  },
];

const server: Defect[] = [
  { name: 'open server call', breaks: 'sometimes', plant: onServerResult((spot, draft) => takeOut(draft, spot)) },
  {
    name: 'open server call before user text',
    breaks: 'always',
    plant: onServerResult((spot, draft, random) => {
      takeOut(draft, spot);
      draft.messages.push(userMessage(draft, random));
    }),
  },
  { name: 'orphan server result', breaks: 'always', plant: onServerCall((spot, draft) => takeOut(draft, spot)) },
  {
    name: 'server result twice',
    breaks: 'always',
    plant: onServerResult(({ parts, at, part }) => void parts.splice(at, 0, structuredClone(part))),
  },
  {
    name: 'server result before its call',
    breaks: 'always',
    plant: onServerResult(({ parts, at }) => void parts.splice(at - 1, 2, parts[at], parts[at - 1])),
  },
  {
    name: 'server result in a user message',
    breaks: 'always',
    plant: onServerResult((spot, draft, random) => moveBehindAssistant(draft, random, spot)),
  },
  {
    name: 'illegal server id',
    breaks: 'always',
    plant: onServerCall(({ part, parts, at }, draft) => {
      const id = freshId(draft, 'ws_');
      const answered = parts[at + 1];
      part['id'] = id;
      if (isFields(answered)) answered['tool_use_id'] = id;
    }),
  },
  {
    name: 'server parts in a user message',
    breaks: 'always',
    plant: (draft) => draft.messages.push({ role: 'user', content: serverPair(draft) }) > 0,
  },
  {
    name: 'open mcp call',
    breaks: 'always',
    plant: (draft, random) => {
      const spot = anyOf(random, placesOf(draft, withRole('assistant')));
      if (!spot) return false;
      const part = {
        type: 'mcp_tool_use',
        id: freshId(draft, 'mcptoolu_'),
        name: 'ask',
        server_name: 'wiki',
        input: {},
      };
      putBeforeCalls(spot.message, part);
      draft.messages.push(userMessage(draft, random));
      return true;
    },
  },
  {
    name: 'undeclared server tool',
    breaks: 'always',
    plant: onServerCall((_spot, draft) => {
      if (!draft.body || !Array.isArray(draft.body['tools'])) return false;
      draft.body['tools'] = draft.body['tools'].filter((tool) => isFields(tool) && tool['name'] !== 'web_search');
      return true;
    }),
  },
  {
    name: 'paused turn at the end',
    breaks: 'never',
    plant: (draft) => {
      if (!draft.body) return false;
      draft.body['tools'] = [
        { type: 'web_search_20250305', name: 'web_search' },
        { name: 'read_file', input_schema: {} },
      ];
      return draft.messages.push({ role: 'assistant', content: serverPair(draft).slice(0, 1) }) > 0;
    },
  },
  {
    name: 'open server call beside answered calls',
    breaks: 'never',
    plant: (draft, random) => {
      if (draft.messages.length === 0) return false;
      if (draft.body)
        draft.body['tools'] = [
          { type: 'web_search_20250305', name: 'web_search' },
          { name: 'read_file', input_schema: {} },
        ];
      const asked = call(draft);
      const content = [thinking(draft), ...serverPair(draft).slice(0, 1), asked];
      const answered = { role: 'user', content: [result(draft, asked['id'], random)] };
      return draft.messages.push({ role: 'assistant', content }, answered) > 0;
    },
  },
];

/** Ways in which calls and results lose one another. */
export const anthropicPairDefects: readonly Defect[] = [...pairs, ...identity, ...server];
