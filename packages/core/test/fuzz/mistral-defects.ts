import { type Breaks, type Defect, defectsIn, freshId, freshText, set } from './draft.ts';
import { chatPairDefects } from './chat-pair-defects.ts';
import { chatMessageDefects } from './chat-message-defects.ts';
import { insertingBetweenSteps, onCall, onResult, rename } from './chat-places.ts';
import { call, thought } from './mistral-drafts.ts';

/** What the sister API refuses and this one takes, or the other way round. */
const otherwise: Readonly<Record<string, Breaks>> = {
  're-used id across turns': 'sometimes',
  'over-long id': 'sometimes',
  'over-long ids with one beginning': 'sometimes',
  'id of unusual characters': 'sometimes',
  'missing call type': 'never',
  'empty call list': 'sometimes',
  'null call list': 'sometimes',
  'arguments that are no string': 'sometimes',
  'wrong call list': 'sometimes',
  'consecutive users': 'sometimes',
  'consecutive assistants': 'sometimes',
  'trailing assistant': 'sometimes',
  'empty assistant': 'always',
  'null content': 'always',
  'missing content': 'always',
  'null result content': 'always',
  'audio in a system message': 'always',
  'legacy function call': 'always',
  'extra keys': 'sometimes',
  'empty text': 'sometimes',
  'blank text': 'sometimes',
};
/** About roles, models and pieces that only the sister API knows. */
const foreign: ReadonlySet<string> = new Set([
  'system on a model that refuses it',
  'two refusals',
  'refusal beside text',
]);

const shared: readonly Defect[] = [...chatPairDefects, ...chatMessageDefects]
  .filter(({ name }) => !foreign.has(name))
  .map((defect) => ({ ...defect, breaks: otherwise[defect.name] ?? defect.breaks }));

const own: readonly Defect[] = defectsIn({
  always: {
    'calls in the first message': (draft) => {
      const asked = call(draft);
      const answered = { role: 'tool', tool_call_id: asked['id'], content: freshText(draft, 'output') };
      draft.messages.unshift({ role: 'assistant', content: '', tool_calls: [asked] }, answered);
      return true;
    },
    'illegal name in a result': onResult(set('name', '', 'a b', 'n'.repeat(65), 'é')),
    'reasoning in a question': insertingBetweenSteps((draft) => ({ role: 'user', content: [thought(draft)] })),
    'reasoning in a result': onResult(({ fields: message }, draft) => void (message['content'] = [thought(draft)])),
    'document in an answer': insertingBetweenSteps((draft) => ({
      role: 'assistant',
      content: [
        { type: 'text', text: freshText(draft, 'answer') },
        { type: 'document_url', document_url: 'https://example.org' },
      ],
    })),
    'developer message': insertingBetweenSteps((draft) => ({ role: 'developer', content: freshText(draft, 'note') })),
  },
  sometimes: {
    'id of another length': onCall((spot, draft, random) =>
      rename(draft, spot, freshId(draft, random.pick(['call_', 'x', 'tool-use-']))),
    ),
    'mark to be continued in the middle': insertingBetweenSteps((draft) => ({
      role: 'assistant',
      content: freshText(draft, 'part'),
      prefix: true,
    })),
    'nothing but a start': (draft) => {
      draft.messages = [{ role: 'assistant', content: freshText(draft, 'part'), prefix: true }];
      return true;
    },
    'system anywhere': insertingBetweenSteps((draft) => ({ role: 'system', content: freshText(draft, 'note') })),
    'system at the end': (draft) => draft.messages.push({ role: 'system', content: freshText(draft, 'note') }) > 0,
    'user after a tool': onResult(({ index }, draft) => {
      let at = index;
      while ((draft.messages[at] as { role?: unknown } | undefined)?.role === 'tool') at += 1;
      draft.messages.splice(at, 0, { role: 'user', content: freshText(draft, 'and') });
    }),
    'reasoning in an answer': insertingBetweenSteps((draft) => ({
      role: 'assistant',
      content: [thought(draft), { type: 'text', text: freshText(draft, 'answer') }],
    })),
  },
});

/** Ways in which Mistral histories go wrong. */
export const mistralDefects: readonly Defect[] = [...shared, ...own];
