import { freshId, freshText, isFields, placesOf, type Defect, type Draft } from './draft.ts';
import { call, output, said, thought, userMessage } from './responses-drafts.ts';
import { displace, inserting, isCall, onCall, onItem, onOutput, outputsOf, rename } from './responses-places.ts';

const drop = (draft: Draft, gone: readonly unknown[]): void => {
  draft.messages = draft.messages.filter((item) => !gone.includes(item));
};

const pairs: Defect[] = [
  {
    name: 'missing output',
    breaks: 'always',
    plant: onCall(
      (spot, draft) =>
        drop(
          draft,
          outputsOf(draft, spot.message).map(({ message }) => message),
        ),
      isCall,
    ),
  },
  {
    name: 'list cut behind a call',
    breaks: 'always',
    plant: onCall(({ index }, draft) => void draft.messages.splice(index + 1)),
  },
  {
    name: 'missing call',
    breaks: 'always',
    plant: onCall(({ message }, draft) => {
      if (message['id'] !== undefined) return false;
      drop(draft, [message]);
      return true;
    }),
  },
  {
    name: 'list cut in front of an output',
    breaks: 'always',
    plant: onOutput(({ index }, draft) => void draft.messages.splice(0, index)),
  },
  {
    name: 'output twice',
    breaks: 'never',
    plant: onOutput(({ index, message }, draft) => void draft.messages.splice(index, 0, { ...message })),
  },
  {
    name: 'two different outputs',
    breaks: 'never',
    plant: onOutput(
      ({ index, message }, draft) =>
        void draft.messages.splice(index, 0, { ...message, output: freshText(draft, 'other output') }),
    ),
  },
  {
    name: 'displaced output',
    breaks: 'never',
    plant: onOutput((spot, draft, random) => displace(draft, spot, random)),
  },
  {
    name: 'late output after a placeholder',
    breaks: 'never',
    plant: onOutput((spot, draft, random) => {
      const text = '[interrupted: no result was recorded for this call. It may have run fully, partly or not at all.]';
      displace(draft, spot, random);
      draft.messages.splice(spot.index, 0, { ...spot.message, output: text });
    }),
  },
  {
    name: 'user between call and output',
    breaks: 'never',
    plant: onCall(({ index }, draft, random) => void draft.messages.splice(index + 1, 0, userMessage(draft, random))),
  },
  {
    name: 'parallel calls in the order they ran',
    breaks: 'never',
    plant: onCall((spot, draft) => {
      const [first] = outputsOf(draft, spot.message);
      if (first === undefined || first.index < spot.index) return false;
      draft.messages.splice(first.index, 1);
      draft.messages.splice(spot.index + 1, 0, first.message);
      return true;
    }),
  },
  {
    name: 'nameless output',
    breaks: 'sometimes',
    plant: onOutput(({ message }, _draft, random) => {
      if (random.chance(2)) delete message['call_id'];
      else message['call_id'] = random.pick<unknown>([null, 7, '']);
    }),
  },
  {
    name: 'output of another family',
    breaks: 'always',
    plant: onOutput(({ message }, draft) => {
      message['type'] = 'custom_tool_call_output';
      message['output'] = freshText(draft, 'output');
    }),
  },
];

const identity: Defect[] = [
  {
    name: 'one id twice in a step, both answered',
    breaks: 'never',
    plant: onCall((spot, draft, random) => {
      const again = call(draft, { call_id: spot.message['call_id'] });
      draft.messages.splice(spot.index + 1, 0, again, output(draft, again, random));
    }),
  },
  {
    name: 'one id twice in a step, answered once',
    breaks: 'never',
    plant: onCall(
      (spot, draft) => void draft.messages.splice(spot.index + 1, 0, call(draft, { call_id: spot.message['call_id'] })),
    ),
  },
  {
    name: 're-used id across turns',
    breaks: 'never',
    plant: onCall((spot, draft) => {
      const earlier = placesOf(draft, (item) => item['type'] === 'function_call').find(
        ({ index }) => index < spot.index,
      );
      if (earlier === undefined) return false;
      rename(draft, spot, earlier.message['call_id']);
      return true;
    }),
  },
  {
    name: 're-used id, interrupted',
    breaks: 'never',
    plant: onCall(
      (spot, draft, random) =>
        void draft.messages.push(userMessage(draft, random), call(draft, { call_id: spot.message['call_id'] })),
    ),
  },
  {
    name: 'over-long id',
    breaks: 'always',
    plant: onCall((spot, draft, random) =>
      rename(draft, spot, freshId(draft, random.pick(['call_'.repeat(13), 'x'.repeat(500)]))),
    ),
  },
  {
    name: 'over-long ids with one beginning',
    breaks: 'always',
    plant: onCall((spot, draft, random) => {
      const other = call(draft, { call_id: `${'a'.repeat(70)}2` });
      draft.messages.splice(spot.index + 1, 0, other, output(draft, other, random));
      rename(draft, spot, `${'a'.repeat(70)}1`);
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
    plant: onCall(({ message }, draft) => void (message['call_id'] = freshId(draft, 'call_'))),
  },
  {
    name: 'missing call id',
    breaks: 'always',
    plant: onCall(
      ({ message }, _draft, random) =>
        void (random.chance(2)
          ? delete message['call_id']
          : (message['call_id'] = random.pick<unknown>([7, null, {}]))),
    ),
  },
  {
    name: 'missing name',
    breaks: 'always',
    plant: onCall(({ message }, _draft, random) => {
      if (random.chance(2)) delete message['name'];
      else message['name'] = random.pick<unknown>([7, null, '', 'n'.repeat(129)]);
    }),
  },
  {
    name: 'arguments that are no string',
    breaks: 'always',
    plant: onCall(
      ({ message }, draft, random) =>
        void (message['arguments'] = random.pick<unknown>([{ path: freshText(draft, 'path') }, null, 7, []])),
    ),
  },
  {
    name: 'truncated arguments',
    breaks: 'never',
    plant: onCall(({ message }) => void (message['arguments'] = '{"path":"a')),
  },
];

const kept: Defect[] = [
  {
    name: 'reasoning cut off',
    breaks: 'always',
    plant: (draft) => draft.messages.push(thought(draft)) > 0,
  },
  {
    // Where a thing with an id follows, the reasoning is taken for what led to it.
    name: 'reasoning anywhere',
    breaks: 'sometimes',
    plant: inserting((draft) => thought(draft)),
  },
  {
    name: 'sealed reasoning nobody can read, cut off',
    breaks: 'always',
    plant: (draft) => draft.messages.push(thought(draft, { summary: [] })) > 0,
  },
  {
    name: 'reasoning without an id',
    breaks: 'never',
    plant: inserting((draft) => thought(draft, { id: undefined, encrypted_content: null })),
  },
  {
    name: 'answer to reasoning without its id',
    breaks: 'sometimes',
    plant: onItem(
      ({ id }) => typeof id === 'string' && !id.startsWith('rs_'),
      ({ index, message }, draft) => {
        const before = draft.messages[index - 1];
        if (!isFields(before) || before['type'] !== 'reasoning') return false;
        delete message['id'];
        return true;
      },
    ),
  },
  {
    name: 'reasoning with its text',
    breaks: 'sometimes',
    plant: onItem(
      ({ type }) => type === 'reasoning',
      ({ message }, draft, random) => {
        if (random.chance(2)) delete message['encrypted_content'];
        message['content'] = [{ type: 'reasoning_text', text: freshText(draft, 'hm') }];
      },
    ),
  },
  {
    name: 'reasoning without summary',
    breaks: 'always',
    plant: onItem(
      ({ type }) => type === 'reasoning',
      ({ message }, _draft, random) => {
        if (random.chance(2)) delete message['summary'];
        else message['summary'] = random.pick<unknown>([null, 'why', {}]);
      },
    ),
  },
  {
    name: 'reasoning that was not sealed',
    breaks: 'sometimes',
    plant: onItem(
      ({ type }) => type === 'reasoning',
      ({ message }, _draft, random) =>
        void (message['encrypted_content'] = random.pick<unknown>([null, '', undefined])),
    ),
  },
  {
    name: 'id of another kind',
    breaks: 'always',
    plant: onItem(
      ({ type }) => type === 'function_call' || type === 'message' || type === 'reasoning',
      ({ message }, draft, random) =>
        void (message['id'] = random.pick<unknown>([freshId(draft, 'call_'), 'msg a', '', 7, `msg_${'x'.repeat(64)}`])),
    ),
  },
  {
    name: 'id of another entry',
    breaks: 'always',
    plant: onItem(
      ({ type, id }) => type === 'message' && typeof id === 'string',
      ({ message }, draft) => void draft.messages.push({ ...said(draft), id: message['id'] }),
    ),
  },
  {
    name: 'response stored twice',
    breaks: 'always',
    plant: onItem(
      ({ type }) => type === 'reasoning',
      ({ index }, draft) => {
        const copy = structuredClone(draft.messages.slice(index, index + 2));
        draft.messages.push(...copy);
      },
    ),
  },
  {
    name: 'reference',
    breaks: 'sometimes',
    plant: inserting((draft) => ({ type: 'item_reference', id: freshId(draft, 'msg_') })),
  },
  {
    name: 'reference twice',
    breaks: 'always',
    plant: (draft) => draft.messages.push({ type: 'item_reference', id: 'msg_r' }, { id: 'msg_r' }) > 0,
  },
  { name: 'reference to nothing', breaks: 'always', plant: inserting(() => ({ type: 'item_reference' })) },
  {
    name: 'wish for compaction',
    breaks: 'sometimes',
    plant: inserting(() => ({ type: 'compaction_trigger' })),
  },
  {
    name: 'opened compaction',
    breaks: 'always',
    plant: inserting((draft) => ({ type: 'compaction', summary: freshText(draft, 'so far') })),
  },
  {
    name: 'compaction',
    breaks: 'never',
    plant: inserting((draft) => ({ type: 'compaction', id: freshId(draft, 'cmp_'), encrypted_content: 'gAAA' })),
  },
  {
    name: 'program without reasoning',
    breaks: 'always',
    plant: inserting((draft) => ({ type: 'program', call_id: 'p', code: freshText(draft, 'code') })),
  },
  {
    name: 'goes on from a response',
    breaks: 'never',
    plant: (draft, random) => {
      if (draft.body === undefined || 'conversation' in draft.body || 'previous_response_id' in draft.body)
        return false;
      draft.body[random.pick(['previous_response_id', 'conversation'])] = 'resp_1';
      draft.messages.unshift({ type: 'function_call_output', call_id: freshId(draft, 'call_'), output: 'x' });
      return true;
    },
  },
];

/** Ways in which entries of the Responses API lose one another. */
export const responsesPairDefects: readonly Defect[] = [...pairs, ...identity, ...kept];
