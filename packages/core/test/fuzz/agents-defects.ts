import { type Breaks, type Defect, type Fields, type Plant, defectsIn, freshId, freshText } from './draft.ts';
import { agentSpeech } from './agents-drafts.ts';
import { frameworkDefects } from './framework-defects.ts';
import type { Random } from './random.ts';
import { insertingBetweenSteps, onCall, onResult, rename } from './speech.ts';

const between = (make: Parameters<typeof insertingBetweenSteps>[1]): Plant => insertingBetweenSteps(agentSpeech, make);

/** The API finds the result of a call wherever it stands, and says nothing of a second one. */
const taken: Readonly<Record<string, Breaks>> = {
  'duplicate result, same content': 'never',
  'duplicate result, different content': 'never',
  // What is put between a thought and what came of it breaks that.
  'displaced result': 'sometimes',
  'extra keys': 'sometimes',
  'consecutive users': 'sometimes',
  'user text between call and result': 'never',
  'duplicate id in a batch, answered once': 'never',
};

const wrongContents: unknown[] = [7, {}, true, null, undefined, [null], [7], [[]], [{}], [{ type: 7 }], []];
const misplaced: readonly Fields[] = [
  { type: 'input_image', image_url: 'data:,' },
  { type: 'input_file', file: 'file-1' },
  { type: 'input_file' },
  { type: 'hologram', beam: 'blue' },
  { type: 'output_text', text: 'said by the other' },
];
/** Things that lost what the framework needs to send them. */
const halves: readonly Fields[] = [
  { type: 'compaction', summary: 'so far' },
  { type: 'hosted_tool_call', name: 'sing_call' },
  { type: 'unknown' },
  { type: 'program', callId: 'p1', code: '1' },
  { type: 'shell_call', callId: 'call_half', action: {} },
  { type: 'apply_patch_call', callId: 'call_half' },
  { type: 'computer_call', callId: 'call_half' },
];
const openCalls: readonly Fields[] = [
  { type: 'shell_call', callId: 'call_open', action: { commands: ['ls'] } },
  { type: 'apply_patch_call', callId: 'call_open', operation: { type: 'delete_file', path: 'a' } },
  { type: 'computer_call', callId: 'call_open', action: { type: 'screenshot' } },
  { type: 'tool_search_call', callId: 'call_open', execution: 'client', arguments: {} },
];

const pick =
  (from: readonly Fields[]) =>
  (_draft: unknown, random: Random): Fields =>
    structuredClone(random.pick(from));

const messages: Defect[] = defectsIn({
  always: {
    'wrong content': between((_draft, random) => ({ role: 'user', content: random.pick(wrongContents) })),
    'an answer that is a bare text': between((draft) => ({
      type: 'message',
      role: 'assistant',
      content: freshText(draft, 'answer'),
    })),
    'wrong type': between((draft, random) => ({
      type: random.pick<unknown>(['hologram', 'web_search_call', 7, null]),
      content: freshText(draft, 'said'),
    })),
    'a role of another format': between((draft, random) => ({
      role: random.pick(['developer', 'model']),
      content: freshText(draft, 'said'),
    })),
    'a piece of another place': between((_draft, random) => ({
      role: 'user',
      content: [pick(misplaced)(undefined, random)],
    })),
    'a phase of no model': between((draft, random) => ({ ...agentSpeech.say(draft, random), phase: 'soon' })),
    'half a thing of the provider': between(pick(halves)),
    'an open call of another tool': between(pick(openCalls)),
    'an id that the provider did not give': between((draft, random) => ({
      ...agentSpeech.say(draft, random),
      id: random.pick<unknown>(['chatcmpl-1', 'a b', 7, '', `msg_${'x'.repeat(61)}`]),
    })),
    'reasoning in the spelling of the API': between((draft) => ({
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: freshText(draft, 'why') }],
    })),
  },
  sometimes: {
    'reasoning that nothing follows': between((draft, random) => ({
      type: 'reasoning',
      id: freshId(draft, 'rs_'),
      content: random.chance(2) ? [] : [{ type: 'input_text', text: freshText(draft, 'why') }],
    })),
  },
});

const pairs: Defect[] = defectsIn({
  always: {
    'an output in no form of the framework': onResult(
      agentSpeech,
      ({ fields: result }, draft, random) =>
        void (result['output'] = random.pick<unknown>([
          null,
          undefined,
          { rows: freshText(draft, 'row') },
          [freshText(draft, 'row')],
          [{ type: 'text', text: freshText(draft, 'row') }],
        ])),
    ),
    'ids in the spelling of the API': onCall(agentSpeech, ({ fields: call }) => {
      call['call_id'] = call['callId'];
      delete call['callId'];
    }),
    'arguments that were parsed': onCall(
      agentSpeech,
      ({ fields: call }, draft) => void (call['arguments'] = { path: freshText(draft, 'path') }),
    ),
    'over-long id': onCall(agentSpeech, (spot, draft) =>
      rename(agentSpeech, draft, { spot, id: freshId(draft, 'x'.repeat(65)) }),
    ),
    'a result of another kind': onResult(agentSpeech, ({ fields: result }, draft) => {
      result['type'] = 'apply_patch_call_output';
      result['output'] = freshText(draft, 'output');
    }),
  },
  sometimes: {
    'one id for tools of two kinds': onCall(agentSpeech, (spot, _draft, random) => {
      spot.add({ ...structuredClone(random.pick(openCalls)), callId: spot.fields['callId'] });
    }),
  },
});

/** Ways in which items of the OpenAI Agents SDK go wrong. */
export const agentDefects: readonly Defect[] = [
  ...frameworkDefects(agentSpeech).map((defect) => ({ ...defect, breaks: taken[defect.name] ?? defect.breaks })),
  ...messages,
  ...pairs,
];
