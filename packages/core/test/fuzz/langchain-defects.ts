import { type Defect, type Plant, defectsIn, freshId, freshText, set } from './draft.ts';
import { frameworkDefects } from './framework-defects.ts';
import { chainSpeech } from './langchain-drafts.ts';
import { insertingBetweenSteps, onCall, onResult, rename } from './speech.ts';

const wrongContents: unknown[] = [7, {}, true, null, undefined, [null], [7], [[]], [{}], [{ type: 7 }]];

const between = (make: Parameters<typeof insertingBetweenSteps>[1]): Plant => insertingBetweenSteps(chainSpeech, make);

const own: Defect[] = defectsIn({
  always: {
    'wrong content': between((_draft, random) => ({ type: 'human', content: random.pick(wrongContents) })),
    'wrong type': between((draft, random) => ({
      type: random.pick<unknown>(['narrator', 'remove', 7, null, undefined]),
      content: freshText(draft, 'said'),
    })),
    'result without content': onResult(chainSpeech, set('content', null, undefined, [])),
    'illegal name': onCall(chainSpeech, set('name', '', 'a b', 'f.g')),
    'arguments that are no object': onCall(chainSpeech, set('args', '{"a":1}', '{"a', null, 7, [1])),
    'call only in the content': between((draft) => ({
      type: 'ai',
      content: [
        { type: 'tool_use', id: freshId(draft, 'call_'), name: 'read_file', input: { path: freshText(draft, 'path') } },
      ],
    })),
    'call only in the form of a provider': between((draft) => ({
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
    'sealed reasoning last': between((draft) => ({
      type: 'ai',
      content: [{ type: 'thinking', thinking: freshText(draft, 'why'), signature: 'sig' }],
    })),
    'a call that is none': between((draft, random) => ({
      type: 'ai',
      content: freshText(draft, 'said'),
      tool_calls: [random.pick<unknown>(['read', 7, ['x']])],
    })),
  },
  sometimes: {
    'blank text': between(() => ({ type: 'human', content: ' \n' })),
    'blank string': between((draft) => ({
      type: 'ai',
      content: [
        { type: 'text', text: ' ' },
        { type: 'text', text: freshText(draft, 'so') },
      ],
    })),
    'empty message': between((_draft, random) => ({
      type: random.pick(['human', 'ai', 'system']),
      content: random.pick<unknown>(['', []]),
    })),
    'id of unusual characters': onCall(chainSpeech, (spot, draft) =>
      rename(chainSpeech, draft, { spot, id: freshId(draft, 'functions.f:') }),
    ),
    'over-long id': onCall(chainSpeech, (spot, draft) =>
      rename(chainSpeech, draft, { spot, id: freshId(draft, 'x'.repeat(60)) }),
    ),
  },
  never: {
    'messages in other wrappings': (draft) => {
      const spoken = { content: freshText(draft, 'question'), additional_kwargs: {} };
      const path = ['langchain_core', 'messages', 'HumanMessage'];
      return (
        draft.messages.push({ lc: 1, type: 'constructor', id: path, kwargs: spoken }, { type: 'human', data: spoken }) >
        0
      );
    },
  },
});

/** Ways in which LangChain messages go wrong. */
export const langChainDefects: readonly Defect[] = [...frameworkDefects(chainSpeech), ...own];
