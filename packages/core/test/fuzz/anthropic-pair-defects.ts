import type { Defect, Draft, Fields } from './draft.ts';
import { anyOf, defectsIn, freshId, freshText, GONE, isFields, placesOf, set } from './draft.ts';
import { call, result, serverPair, text, thinking, userMessage } from './anthropic-drafts.ts';
import {
  putBeforeCalls,
  resultOf,
  resultsOf,
  spotsOf,
  takeOut,
  withRole,
  type Spot,
  onPart,
} from './anthropic-places.ts';
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
  draft.messages.splice(behind, 0, { role: 'user', content: [spot.fields] });
}

/** Gives a call and its result a new id each; the same one unless told otherwise. */
function rename(draft: Draft, spot: Spot, ids: { call: unknown; result?: unknown }): void {
  const answered = resultOf(draft, spot.fields['id']);
  spot.fields['id'] = ids.call;
  if (answered) answered.fields['tool_use_id'] = 'result' in ids ? ids.result : ids.call;
}

const onCall = onPart.bind(undefined, 'tool_use');
const onResult = onPart.bind(undefined, 'tool_result');
const onServerCall = onPart.bind(undefined, 'server_tool_use');
const onServerResult = onPart.bind(undefined, 'web_search_tool_result');

const illegalIds = ['functions.read:0', 'call|1', 'tool use', 'é', 'a/b', `${'x'.repeat(70)}.`, ''];
const illegalNames: unknown[] = ['', 'n'.repeat(201), 7, null, undefined];
const illegalInputs: unknown[] = ['{"path":"a', '{"path":"a"}', 'plain', '', null, 7, true, [1], undefined];

const pairs: Defect[] = defectsIn({
  always: {
    'dangling call': onCall((spot, draft) => {
      const answers = resultsOf(draft, spot);
      for (const found of answers) takeOut(draft, found);
      return answers.length > 0;
    }),
    'partly answered batch': onCall((spot, draft, random) => {
      const answers = resultsOf(draft, spot);
      const lost = anyOf(random, answers);
      if (answers.length < 2 || !lost) return false;
      takeOut(draft, lost);
      return true;
    }),
    'orphan result': (draft, random) => {
      const part = result(draft, freshId(draft, 'toolu_lost_'), random);
      const into = anyOf(
        random,
        placesOf(draft, (message) => withRole('user')(message) && Array.isArray(message['content'])),
      );
      if (into && random.chance(2) && Array.isArray(into.message['content'])) into.message['content'].unshift(part);
      else draft.messages.splice(random.between(0, draft.messages.length), 0, { role: 'user', content: [part] });
      return true;
    },
    'duplicate result, same content': onResult(
      ({ parts, at, fields: part }) => void parts.splice(at, 0, structuredClone(part)),
    ),
    'duplicate result, different content': onResult(
      ({ parts, at, fields: part }, draft) =>
        void parts.splice(at, 0, { ...part, content: freshText(draft, 'other output') }),
    ),
    'duplicate result, later': onResult((spot, draft, random) => {
      spot.parts.splice(spot.at, 0, { ...spot.fields, content: freshText(draft, 'other output') });
      moveBehindAssistant(draft, random, spot);
    }),
    'displaced result': onResult((spot, draft, random) => moveBehindAssistant(draft, random, spot)),
    'late result after a placeholder': onResult((spot, draft, random) => {
      const placeholder = { type: 'tool_result', tool_use_id: spot.fields['tool_use_id'], is_error: true };
      spot.parts.splice(spot.at, 0, { ...placeholder, content: '[interrupted: no result was recorded]' });
      moveBehindAssistant(draft, random, spot);
    }),
    'result after text': onResult(({ parts, at }, draft) => void parts.splice(at, 0, text(draft, 'early'))),
    'text after a call': onCall(({ parts, at }, draft) => void parts.splice(at + 1, 0, text(draft, 'trailing'))),
    'server parts after a call': onCall(({ parts, at }, draft) => void parts.splice(at + 1, 0, ...serverPair(draft))),
    'answer after a call': onCall(({ index }, draft) => void draft.messages.splice(index + 1, 0, answer(draft))),
    'user text between call and result': onCall(
      ({ index }, draft, random) => void draft.messages.splice(index + 1, 0, userMessage(draft, random)),
    ),
    'call at the end': (draft) =>
      draft.messages.push({ role: 'assistant', content: [text(draft), call(draft), call(draft)] }) > 0,
  },
});

const identity: Defect[] = defectsIn({
  always: {
    'duplicate id in a turn, both answered': onCall((spot, draft, random) => {
      const answered = resultOf(draft, spot.fields['id']);
      spot.parts.splice(spot.at + 1, 0, call(draft, String(spot.fields['id'])));
      answered?.parts.splice(answered.at + 1, 0, result(draft, spot.fields['id'], random));
    }),
    'duplicate id in a turn, answered once': onCall(
      ({ parts, at, fields: part }, draft) => void parts.splice(at + 1, 0, call(draft, String(part['id']))),
    ),
    'illegal id': onCall((spot, draft, random) => rename(draft, spot, { call: random.pick(illegalIds) })),
    'illegal ids that collide when cleaned': onCall((spot, draft, random) => {
      const answered = resultOf(draft, spot.fields['id']);
      spot.parts.splice(spot.at + 1, 0, call(draft, 'a:b'));
      answered?.parts.splice(answered.at + 1, 0, result(draft, 'a:b', random));
      rename(draft, spot, { call: 'a.b' });
    }),
    'id changed on one side': onCall((spot, draft) =>
      rename(draft, spot, { call: freshId(draft, 'toolu_'), result: spot.fields['id'] }),
    ),
    'missing call id': onCall(set('id', GONE, 7, {}, false)),
    'missing result id': onResult(set('tool_use_id', GONE, 7)),
    'illegal name': onCall(set('name', ...illegalNames)),
    'arguments that are no object': onCall(set('input', ...illegalInputs)),
  },
  never: {
    're-used id across turns': onCall((spot, draft) => {
      const earlier = spotsOf(draft, 'tool_use').find(({ index }) => index < spot.index);
      if (!earlier) return false;
      rename(draft, spot, { call: earlier.fields['id'] });
      return true;
    }),
    'over-long id': onCall((spot, draft) => rename(draft, spot, { call: freshId(draft, 'long_'.repeat(20)) })),
  },
});

const server: Defect[] = defectsIn({
  always: {
    'open server call before user text': onServerResult((spot, draft, random) => {
      takeOut(draft, spot);
      draft.messages.push(userMessage(draft, random));
    }),
    'orphan server result': onServerCall((spot, draft) => takeOut(draft, spot)),
    'server result twice': onServerResult(
      ({ parts, at, fields: part }) => void parts.splice(at, 0, structuredClone(part)),
    ),
    'server result before its call': onServerResult(
      ({ parts, at }) => void parts.splice(at - 1, 2, parts[at], parts[at - 1]),
    ),
    'server result in a user message': onServerResult((spot, draft, random) =>
      moveBehindAssistant(draft, random, spot),
    ),
    'illegal server id': onServerCall(({ fields: part, parts, at }, draft) => {
      const id = freshId(draft, 'ws_');
      const answered = parts[at + 1];
      part['id'] = id;
      if (isFields(answered)) answered['tool_use_id'] = id;
    }),
    'server parts in a user message': (draft) => draft.messages.push({ role: 'user', content: serverPair(draft) }) > 0,
    'open mcp call': (draft, random) => {
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
    'undeclared server tool': onServerCall((_spot, draft) => {
      if (!draft.body || !Array.isArray(draft.body['tools'])) return false;
      draft.body['tools'] = draft.body['tools'].filter((tool) => isFields(tool) && tool['name'] !== 'web_search');
      return true;
    }),
  },
  sometimes: {
    'open server call': onServerResult((spot, draft) => takeOut(draft, spot)),
  },
  never: {
    'paused turn at the end': (draft) => {
      if (!draft.body) return false;
      draft.body['tools'] = [
        { type: 'web_search_20250305', name: 'web_search' },
        { name: 'read_file', input_schema: {} },
      ];
      return draft.messages.push({ role: 'assistant', content: serverPair(draft).slice(0, 1) }) > 0;
    },
    'open server call beside answered calls': (draft, random) => {
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
});

/** Ways in which calls and results lose one another. */
export const anthropicPairDefects: readonly Defect[] = [...pairs, ...identity, ...server];
