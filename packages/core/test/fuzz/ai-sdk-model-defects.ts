import { modelSpeech, searched } from './ai-sdk-model-drafts.ts';
import { freshId, freshText, isFields, listOf, placesOf, type Defect } from './draft.ts';
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

const between = (make: Parameters<typeof insertingBetweenSteps>[1]): Defect['plant'] =>
  insertingBetweenSteps(modelSpeech, make);

const own: Defect[] = [
  {
    name: 'wrong content',
    breaks: 'always',
    plant: between((_draft, random) => ({ role: 'user', content: random.pick(wrongContents) })),
  },
  {
    name: 'wrong role',
    breaks: 'always',
    plant: between((draft, random) => ({
      role: random.pick<unknown>(['model', 'human', 7, null, undefined]),
      content: freshText(draft, 'said'),
    })),
  },
  { name: 'blank text', breaks: 'sometimes', plant: between(() => ({ role: 'user', content: ' \n' })) },
  {
    name: 'empty text in a result',
    breaks: 'sometimes',
    plant: between((draft) => ({
      role: 'assistant',
      content: [
        { type: 'text', text: '\n' },
        { type: 'text', text: freshText(draft, 'said') },
      ],
    })),
  },
  {
    name: 'empty message',
    breaks: 'always',
    plant: between((_draft, random) => ({
      role: random.pick(['user', 'assistant']),
      content: random.chance(2) ? [] : [{ type: 'text', text: '' }],
    })),
  },
  { name: 'empty tool message', breaks: 'sometimes', plant: between(() => ({ role: 'tool', content: [] })) },
  {
    name: 'unknown part',
    breaks: 'always',
    plant: between((draft, random) => ({
      role: random.pick(['user', 'assistant']),
      content: [{ type: 'future_part', payload: freshText(draft, 'future') }],
    })),
  },
  {
    name: 'image in an answer',
    breaks: 'always',
    plant: between((draft) => ({
      role: 'assistant',
      content: [
        { type: 'image', image: 'AAAA', mediaType: 'image/png' },
        { type: 'text', text: freshText(draft, 'said') },
      ],
    })),
  },
  {
    name: 'text among results',
    breaks: 'always',
    plant: onResult(modelSpeech, ({ result }, draft) => {
      const holder = draft.messages.find((message) => isFields(message) && listOf(message, 'content').includes(result));
      if (!isFields(holder)) return false;
      listOf(holder, 'content').unshift({ type: 'text', text: freshText(draft, 'remark') });
      return true;
    }),
  },
  {
    name: 'result beside its call',
    breaks: 'always',
    plant: onResult(modelSpeech, (spot, draft) => {
      const id = spot.result['toolCallId'];
      const call = modelSpeech.calls(draft).find((found) => found.call['toolCallId'] === id);
      if (!call) return false;
      spot.remove();
      call.add(spot.result);
      return true;
    }),
  },
  {
    name: 'system message in front',
    breaks: 'always',
    plant: (draft) => draft.messages.unshift({ role: 'system', content: freshText(draft, 'rules') }) > 0,
  },
  {
    name: 'system message inside',
    breaks: 'always',
    plant: between((draft) => ({ role: 'system', content: freshText(draft, 'rules') })),
  },
  {
    name: 'system message of parts',
    breaks: 'always',
    plant: between((draft) => ({ role: 'system', content: [{ type: 'text', text: freshText(draft, 'rules') }] })),
  },
  {
    name: 'wrong output',
    breaks: 'always',
    plant: onResult(modelSpeech, ({ result }, _draft, random) => {
      if ('result' in result) return false;
      result['output'] = random.pick(wrongOutputs);
      return true;
    }),
  },
  {
    name: 'output of an earlier version',
    breaks: 'always',
    plant: onResult(modelSpeech, ({ result }, draft) => {
      delete result['output'];
      result['result'] = freshText(draft, 'output');
    }),
  },
  {
    name: 'result without a name',
    breaks: 'always',
    plant: onResult(modelSpeech, ({ result }) => void delete result['toolName']),
  },
  { name: 'call without input', breaks: 'always', plant: onCall(modelSpeech, ({ call }) => void delete call['input']) },
  {
    name: 'input that is no object',
    breaks: 'never',
    plant: onCall(modelSpeech, ({ call }, _draft, random) => void (call['input'] = random.pick(['{"a', null, 7, [1]]))),
  },
  {
    name: 'illegal name',
    breaks: 'always',
    plant: onCall(modelSpeech, ({ call }, _draft, random) => void (call['toolName'] = random.pick(['', 'a b', 'f.g']))),
  },
  {
    name: 'id of unusual characters',
    breaks: 'sometimes',
    plant: onCall(modelSpeech, (spot, draft) =>
      rename(modelSpeech, draft, { spot, id: freshId(draft, 'functions.f:') }),
    ),
  },
  {
    name: 'over-long id',
    breaks: 'sometimes',
    plant: onCall(modelSpeech, (spot, draft) =>
      rename(modelSpeech, draft, { spot, id: freshId(draft, 'x'.repeat(60)) }),
    ),
  },
  {
    name: 'options that are none',
    breaks: 'always',
    plant: between((draft, random) => ({
      role: 'user',
      content: freshText(draft, 'said'),
      providerOptions: random.pick<unknown>(['x', { anthropic: 7 }, [], null]),
    })),
  },
  {
    name: 'open server call',
    breaks: 'sometimes',
    plant: between((draft) => ({ role: 'assistant', content: searched(draft).slice(0, 1) })),
  },
  {
    name: 'orphan server result',
    breaks: 'always',
    plant: between((draft) => ({ role: 'assistant', content: searched(draft).slice(1) })),
  },
  {
    name: 'sealed reasoning last',
    breaks: 'always',
    plant: between((draft) => ({
      role: 'assistant',
      content: [{ type: 'reasoning', text: freshText(draft, 'why'), providerOptions: { openai: { itemId: 'rs_1' } } }],
    })),
  },
  {
    name: 'decision about nothing at the end',
    breaks: 'always',
    plant: (draft) => {
      const content = [{ type: 'tool-approval-response', approvalId: freshId(draft, 'ask_'), approved: true }];
      return draft.messages.push({ role: 'tool', content }) > 0;
    },
  },
  {
    name: 'approved and not yet run',
    breaks: 'never',
    plant: (draft) => {
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
  {
    name: 'asked and not yet decided',
    breaks: 'always',
    plant: (draft) => {
      const last = placesOf(draft, (message) => message['role'] === 'assistant').at(-1);
      const call = modelSpeech.call(draft);
      const ask = { type: 'tool-approval-request', approvalId: freshId(draft, 'ask_'), toolCallId: call['toolCallId'] };
      if (!last || last.index < draft.messages.length - 1)
        return draft.messages.push({ role: 'assistant', content: [call, ask] }) > 0;
      last.message['content'] = [call, ask];
      return true;
    },
  },
];

/** Ways in which model messages of the AI SDK go wrong. */
export const aiSdkModelDefects: readonly Defect[] = [...frameworkDefects(modelSpeech), ...own];
