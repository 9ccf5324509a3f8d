import { type Defect, type Draft, defectsIn, freshId, freshText, GONE, isFields, placesOf, set } from './draft.ts';
import { call, output, said, thought, userMessage } from './responses-drafts.ts';
import {
  displace,
  inserting,
  isCall,
  onCall,
  onItem,
  onOutput,
  outputsOf,
  rename,
  isReasoning,
} from './responses-places.ts';

const drop = (draft: Draft, gone: readonly unknown[]): void => {
  draft.messages = draft.messages.filter((item) => !gone.includes(item));
};

const pairs: Defect[] = defectsIn({
  always: {
    'missing output': onCall(
      (spot, draft) =>
        drop(
          draft,
          outputsOf(draft, spot.message).map(({ message }) => message),
        ),
      isCall,
    ),
    'list cut behind a call': onCall(({ index }, draft) => void draft.messages.splice(index + 1)),
    'missing call': onCall(({ fields: message }, draft) => {
      if (message['id'] !== undefined) return false;
      drop(draft, [message]);
      return true;
    }),
    'list cut in front of an output': onOutput(({ index }, draft) => void draft.messages.splice(0, index)),
    'output of another family': onOutput(({ fields: message }, draft) => {
      message['type'] = 'custom_tool_call_output';
      message['output'] = freshText(draft, 'output');
    }),
  },
  sometimes: {
    'nameless output': onOutput(set('call_id', GONE, null, 7, '')),
  },
  never: {
    'output twice': onOutput(({ index, message }, draft) => void draft.messages.splice(index, 0, { ...message })),
    'two different outputs': onOutput(
      ({ index, message }, draft) =>
        void draft.messages.splice(index, 0, { ...message, output: freshText(draft, 'other output') }),
    ),
    'displaced output': onOutput((spot, draft, random) => displace(draft, spot, random)),
    'late output after a placeholder': onOutput((spot, draft, random) => {
      const text = '[interrupted: no result was recorded for this call. It may have run fully, partly or not at all.]';
      displace(draft, spot, random);
      draft.messages.splice(spot.index, 0, { ...spot.message, output: text });
    }),
    'user between call and output': onCall(
      ({ index }, draft, random) => void draft.messages.splice(index + 1, 0, userMessage(draft, random)),
    ),
    'parallel calls in the order they ran': onCall((spot, draft) => {
      const [first] = outputsOf(draft, spot.message);
      if (first === undefined || first.index < spot.index) return false;
      draft.messages.splice(first.index, 1);
      draft.messages.splice(spot.index + 1, 0, first.message);
      return true;
    }),
  },
});

const identity: Defect[] = defectsIn({
  always: {
    'over-long id': onCall((spot, draft, random) =>
      rename(draft, spot, freshId(draft, random.pick(['call_'.repeat(13), 'x'.repeat(500)]))),
    ),
    'over-long ids with one beginning': onCall((spot, draft, random) => {
      const other = call(draft, { call_id: `${'a'.repeat(70)}2` });
      draft.messages.splice(spot.index + 1, 0, other, output(draft, other, random));
      rename(draft, spot, `${'a'.repeat(70)}1`);
    }),
    'empty id': onCall((spot, draft) => rename(draft, spot, '')),
    'id changed on one side': onCall(
      ({ fields: message }, draft) => void (message['call_id'] = freshId(draft, 'call_')),
    ),
    'missing call id': onCall(set('call_id', GONE, 7, null, {})),
    'missing name': onCall(set('name', GONE, 7, null, '', 'n'.repeat(129))),
    'arguments that are no string': onCall(
      ({ fields: message }, draft, random) =>
        void (message['arguments'] = random.pick<unknown>([{ path: freshText(draft, 'path') }, null, 7, []])),
    ),
  },
  never: {
    'one id twice in a step, both answered': onCall((spot, draft, random) => {
      const again = call(draft, { call_id: spot.message['call_id'] });
      draft.messages.splice(spot.index + 1, 0, again, output(draft, again, random));
    }),
    'one id twice in a step, answered once': onCall(
      (spot, draft) => void draft.messages.splice(spot.index + 1, 0, call(draft, { call_id: spot.message['call_id'] })),
    ),
    're-used id across turns': onCall((spot, draft) => {
      const earlier = placesOf(draft, (item) => item['type'] === 'function_call').find(
        ({ index }) => index < spot.index,
      );
      if (earlier === undefined) return false;
      rename(draft, spot, earlier.message['call_id']);
      return true;
    }),
    're-used id, interrupted': onCall(
      (spot, draft, random) =>
        void draft.messages.push(userMessage(draft, random), call(draft, { call_id: spot.message['call_id'] })),
    ),
    'id of unusual characters': onCall((spot, draft) => rename(draft, spot, freshId(draft, 'functions.f:'))),
    'truncated arguments': onCall(set('arguments', '{"path":"a')),
  },
});

const kept: Defect[] = defectsIn({
  always: {
    'reasoning cut off': (draft) => draft.messages.push(thought(draft)) > 0,
    'sealed reasoning nobody can read, cut off': (draft) => draft.messages.push(thought(draft, { summary: [] })) > 0,
    'reasoning without summary': onItem(isReasoning, set('summary', GONE, null, 'why', {})),
    'id of another kind': onItem(
      ({ type }) => type === 'function_call' || type === 'message' || type === 'reasoning',
      ({ fields: message }, draft, random) =>
        void (message['id'] = random.pick<unknown>([freshId(draft, 'call_'), 'msg a', '', 7, `msg_${'x'.repeat(64)}`])),
    ),
    'id of another entry': onItem(
      ({ type, id }) => type === 'message' && typeof id === 'string',
      ({ fields: message }, draft) => void draft.messages.push({ ...said(draft), id: message['id'] }),
    ),
    'response stored twice': onItem(isReasoning, ({ index }, draft) => {
      const copy = structuredClone(draft.messages.slice(index, index + 2));
      draft.messages.push(...copy);
    }),
    'reference twice': (draft) => draft.messages.push({ type: 'item_reference', id: 'msg_r' }, { id: 'msg_r' }) > 0,
    'reference to nothing': inserting(() => ({ type: 'item_reference' })),
    'opened compaction': inserting((draft) => ({ type: 'compaction', summary: freshText(draft, 'so far') })),
    'program without reasoning': inserting((draft) => ({
      type: 'program',
      call_id: 'p',
      code: freshText(draft, 'code'),
    })),
  },
  sometimes: {
    // Where a thing with an id follows, the reasoning is taken for what led to it.
    'reasoning anywhere': inserting((draft) => thought(draft)),
    'answer to reasoning without its id': onItem(
      ({ id }) => typeof id === 'string' && !id.startsWith('rs_'),
      ({ index, message }, draft) => {
        const before = draft.messages[index - 1];
        if (!isFields(before) || before['type'] !== 'reasoning') return false;
        delete message['id'];
        return true;
      },
    ),
    'reasoning with its text': onItem(isReasoning, ({ fields: message }, draft, random) => {
      if (random.chance(2)) delete message['encrypted_content'];
      message['content'] = [{ type: 'reasoning_text', text: freshText(draft, 'hm') }];
    }),
    'reasoning that was not sealed': onItem(isReasoning, set('encrypted_content', null, '', undefined)),
    reference: inserting((draft) => ({ type: 'item_reference', id: freshId(draft, 'msg_') })),
    'wish for compaction': inserting(() => ({ type: 'compaction_trigger' })),
  },
  never: {
    'reasoning without an id': inserting((draft) => thought(draft, { id: undefined, encrypted_content: null })),
    compaction: inserting((draft) => ({ type: 'compaction', id: freshId(draft, 'cmp_'), encrypted_content: 'gAAA' })),
    'goes on from a response': (draft, random) => {
      if (draft.body === undefined || 'conversation' in draft.body || 'previous_response_id' in draft.body)
        return false;
      draft.body[random.pick(['previous_response_id', 'conversation'])] = 'resp_1';
      draft.messages.unshift({ type: 'function_call_output', call_id: freshId(draft, 'call_'), output: 'x' });
      return true;
    },
  },
});

/** Ways in which entries of the Responses API lose one another. */
export const responsesPairDefects: readonly Defect[] = [...pairs, ...identity, ...kept];
