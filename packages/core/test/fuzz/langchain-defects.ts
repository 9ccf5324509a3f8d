import { freshId, freshText, type Defect } from './draft.ts';
import { frameworkDefects } from './framework-defects.ts';
import { chainSpeech } from './langchain-drafts.ts';
import { insertingBetweenSteps, onCall, onResult, rename } from './speech.ts';

const wrongContents: unknown[] = [7, {}, true, null, undefined, [null], [7], [[]], [{}], [{ type: 7 }]];

const between = (make: Parameters<typeof insertingBetweenSteps>[1]): Defect['plant'] =>
  insertingBetweenSteps(chainSpeech, make);

const own: Defect[] = [
  {
    name: 'wrong content',
    breaks: 'always',
    plant: between((_draft, random) => ({ type: 'human', content: random.pick(wrongContents) })),
  },
  {
    name: 'wrong type',
    breaks: 'always',
    plant: between((draft, random) => ({
      type: random.pick<unknown>(['narrator', 'remove', 7, null, undefined]),
      content: freshText(draft, 'said'),
    })),
  },
  { name: 'blank text', breaks: 'sometimes', plant: between(() => ({ type: 'human', content: ' \n' })) },
  {
    name: 'blank string',
    breaks: 'sometimes',
    plant: between((draft) => ({
      type: 'ai',
      content: [
        { type: 'text', text: ' ' },
        { type: 'text', text: freshText(draft, 'so') },
      ],
    })),
  },
  {
    name: 'empty message',
    breaks: 'sometimes',
    plant: between((_draft, random) => ({
      type: random.pick(['human', 'ai', 'system']),
      content: random.pick<unknown>(['', []]),
    })),
  },
  {
    name: 'result without content',
    breaks: 'always',
    plant: onResult(
      chainSpeech,
      ({ result }, _draft, random) => void (result['content'] = random.pick<unknown>([null, undefined, []])),
    ),
  },
  {
    name: 'illegal name',
    breaks: 'always',
    plant: onCall(chainSpeech, ({ call }, _draft, random) => void (call['name'] = random.pick(['', 'a b', 'f.g']))),
  },
  {
    name: 'arguments that are no object',
    breaks: 'always',
    plant: onCall(
      chainSpeech,
      ({ call }, _draft, random) => void (call['args'] = random.pick<unknown>(['{"a":1}', '{"a', null, 7, [1]])),
    ),
  },
  {
    name: 'id of unusual characters',
    breaks: 'sometimes',
    plant: onCall(chainSpeech, (spot, draft) =>
      rename(chainSpeech, draft, { spot, id: freshId(draft, 'functions.f:') }),
    ),
  },
  {
    name: 'over-long id',
    breaks: 'sometimes',
    plant: onCall(chainSpeech, (spot, draft) =>
      rename(chainSpeech, draft, { spot, id: freshId(draft, 'x'.repeat(60)) }),
    ),
  },
  {
    name: 'call only in the content',
    breaks: 'always',
    plant: between((draft) => ({
      type: 'ai',
      content: [
        { type: 'tool_use', id: freshId(draft, 'call_'), name: 'read_file', input: { path: freshText(draft, 'path') } },
      ],
    })),
  },
  {
    name: 'call only in the form of a provider',
    breaks: 'always',
    plant: between((draft) => ({
      type: 'ai',
      content: '',
      additional_kwargs: {
        tool_calls: [
          {
            id: freshId(draft, 'call_'),
            type: 'function',
            function: { name: 'read_file', arguments: `{"n":${draft.count}}` },
          },
        ],
      },
    })),
  },
  {
    name: 'sealed reasoning last',
    breaks: 'always',
    plant: between((draft) => ({
      type: 'ai',
      content: [{ type: 'thinking', thinking: freshText(draft, 'why'), signature: 'sig' }],
    })),
  },
  {
    name: 'a call that is none',
    breaks: 'always',
    plant: between((draft, random) => ({
      type: 'ai',
      content: freshText(draft, 'said'),
      tool_calls: [random.pick<unknown>(['read', 7, ['x']])],
    })),
  },
  {
    name: 'messages in other wrappings',
    breaks: 'never',
    plant: (draft) => {
      const spoken = { content: freshText(draft, 'question'), additional_kwargs: {} };
      const path = ['langchain_core', 'messages', 'HumanMessage'];
      return (
        draft.messages.push({ lc: 1, type: 'constructor', id: path, kwargs: spoken }, { type: 'human', data: spoken }) >
        0
      );
    },
  },
];

/** Ways in which LangChain messages go wrong. */
export const langChainDefects: readonly Defect[] = [...frameworkDefects(chainSpeech), ...own];
