import type { Defect, Plant } from './draft.ts';
import { defectsIn, freshId, freshText, GONE, isFields, listOf, placesOf, set } from './draft.ts';
import { modelSpeech, searched } from './ai-sdk-model-drafts.ts';
import { frameworkDefects } from './framework-defects.ts';
import { insertingBetweenSteps, onCall, onResult, rename } from './speech.ts';

const wrongContents: unknown[] = [7, null, undefined, {}, true, [null], ['text'], [7], [[]], [{}], [{ type: 7 }]];
const wrongOutputs: unknown[] = [
  'bare',
  7,
  null,
  undefined,
  [1],
  { rows: [] },
  { type: 'text', value: 7 },
  { type: 'future' },
];

const between = (make: Parameters<typeof insertingBetweenSteps>[1]): Plant => insertingBetweenSteps(modelSpeech, make);

const own: Defect[] = defectsIn({
  always: {
    'wrong content': between((_draft, random) => ({ role: 'user', content: random.pick(wrongContents) })),
    'wrong role': between((draft, random) => ({
      role: random.pick<unknown>(['model', 'human', 7, null, undefined]),
      content: freshText(draft, 'said'),
    })),
    'empty message': between((_draft, random) => ({
      role: random.pick(['user', 'assistant']),
      content: random.chance(2) ? [] : [{ type: 'text', text: '' }],
    })),
    'unknown part': between((draft, random) => ({
      role: random.pick(['user', 'assistant']),
      content: [{ type: 'future_part', payload: freshText(draft, 'future') }],
    })),
    'image in an answer': between((draft) => ({
      role: 'assistant',
      content: [
        { type: 'image', image: 'AAAA', mediaType: 'image/png' },
        { type: 'text', text: freshText(draft, 'said') },
      ],
    })),
    'text among results': onResult(modelSpeech, ({ fields: result }, draft) => {
      const holder = draft.messages.find((message) => isFields(message) && listOf(message, 'content').includes(result));
      if (!isFields(holder)) return false;
      listOf(holder, 'content').unshift({ type: 'text', text: freshText(draft, 'remark') });
      return true;
    }),
    'result beside its call': onResult(modelSpeech, (spot, draft) => {
      const id = spot.fields['toolCallId'];
      const call = modelSpeech.calls(draft).find((found) => found.fields['toolCallId'] === id);
      if (!call) return false;
      spot.remove();
      call.add(spot.fields);
      return true;
    }),
    'system message in front': (draft) =>
      draft.messages.unshift({ role: 'system', content: freshText(draft, 'rules') }) > 0,
    'system message inside': between((draft) => ({ role: 'system', content: freshText(draft, 'rules') })),
    'system message of parts': between((draft) => ({
      role: 'system',
      content: [{ type: 'text', text: freshText(draft, 'rules') }],
    })),
    'wrong output': onResult(modelSpeech, ({ fields: result }, _draft, random) => {
      if ('result' in result) return false;
      result['output'] = random.pick(wrongOutputs);
      return true;
    }),
    'output of an earlier version': onResult(modelSpeech, ({ fields: result }, draft) => {
      delete result['output'];
      result['result'] = freshText(draft, 'output');
    }),
    'result without a name': onResult(modelSpeech, set('toolName', GONE)),
    'call without input': onCall(modelSpeech, set('input', GONE)),
    'illegal name': onCall(modelSpeech, set('toolName', '', 'a b', 'f.g')),
    'options that are none': between((draft, random) => ({
      role: 'user',
      content: freshText(draft, 'said'),
      providerOptions: random.pick<unknown>(['x', { anthropic: 7 }, [], null]),
    })),
    'orphan server result': between((draft) => ({ role: 'assistant', content: searched(draft).slice(1) })),
    'sealed reasoning last': between((draft) => ({
      role: 'assistant',
      content: [{ type: 'reasoning', text: freshText(draft, 'why'), providerOptions: { openai: { itemId: 'rs_1' } } }],
    })),
    'decision about nothing at the end': (draft) => {
      const content = [{ type: 'tool-approval-response', approvalId: freshId(draft, 'ask_'), approved: true }];
      return draft.messages.push({ role: 'tool', content }) > 0;
    },
    'asked and not yet decided': (draft) => {
      const last = placesOf(draft, (message) => message['role'] === 'assistant').at(-1);
      const call = modelSpeech.call(draft);
      const ask = { type: 'tool-approval-request', approvalId: freshId(draft, 'ask_'), toolCallId: call['toolCallId'] };
      if (!last || last.index < draft.messages.length - 1)
        return draft.messages.push({ role: 'assistant', content: [call, ask] }) > 0;
      last.message['content'] = [call, ask];
      return true;
    },
  },
  sometimes: {
    'blank text': between(() => ({ role: 'user', content: ' \n' })),
    'empty text in a result': between((draft) => ({
      role: 'assistant',
      content: [
        { type: 'text', text: '\n' },
        { type: 'text', text: freshText(draft, 'said') },
      ],
    })),
    'empty tool message': between(() => ({ role: 'tool', content: [] })),
    'id of unusual characters': onCall(modelSpeech, (spot, draft) =>
      rename(modelSpeech, draft, { spot, id: freshId(draft, 'functions.f:') }),
    ),
    'over-long id': onCall(modelSpeech, (spot, draft) =>
      rename(modelSpeech, draft, { spot, id: freshId(draft, 'x'.repeat(60)) }),
    ),
    'open server call': between((draft) => ({ role: 'assistant', content: searched(draft).slice(0, 1) })),
  },
  never: {
    'input that is no object': onCall(modelSpeech, set('input', '{"a', null, 7, [1])),
    'approved and not yet run': (draft) => {
      const call = modelSpeech.call(draft);
      const ask = { approvalId: freshId(draft, 'ask_'), toolCallId: call['toolCallId'] };
      return (
        draft.messages.push(
          { role: 'assistant', content: [call, { type: 'tool-approval-request', ...ask }] },
          { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: ask.approvalId, approved: true }] },
        ) > 0
      );
    },
  },
});

/** Ways in which model messages of the AI SDK go wrong. */
export const aiSdkModelDefects: readonly Defect[] = [...frameworkDefects(modelSpeech), ...own];
