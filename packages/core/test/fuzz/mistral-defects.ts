import { chatPairDefects } from './chat-pair-defects.ts';
import { chatMessageDefects } from './chat-message-defects.ts';
import { insertingBetweenSteps, onCall, onResult, rename } from './chat-places.ts';
import { freshId, freshText, type Breaks, type Defect } from './draft.ts';
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

const own: readonly Defect[] = [
  {
    name: 'id of another length',
    breaks: 'sometimes',
    plant: onCall((spot, draft, random) =>
      rename(draft, spot, freshId(draft, random.pick(['call_', 'x', 'tool-use-']))),
    ),
  },
  {
    name: 'mark to be continued in the middle',
    breaks: 'sometimes',
    plant: insertingBetweenSteps((draft) => ({ role: 'assistant', content: freshText(draft, 'part'), prefix: true })),
  },
  {
    name: 'nothing but a start',
    breaks: 'sometimes',
    plant: (draft) => {
      draft.messages = [{ role: 'assistant', content: freshText(draft, 'part'), prefix: true }];
      return true;
    },
  },
  {
    name: 'calls in the first message',
    breaks: 'always',
    plant: (draft) => {
      const asked = call(draft);
      const answered = { role: 'tool', tool_call_id: asked['id'], content: freshText(draft, 'output') };
      draft.messages.unshift({ role: 'assistant', content: '', tool_calls: [asked] }, answered);
      return true;
    },
  },
  {
    name: 'system anywhere',
    breaks: 'sometimes',
    plant: insertingBetweenSteps((draft) => ({ role: 'system', content: freshText(draft, 'note') })),
  },
  {
    name: 'system at the end',
    breaks: 'sometimes',
    plant: (draft) => draft.messages.push({ role: 'system', content: freshText(draft, 'note') }) > 0,
  },
  {
    name: 'user after a tool',
    breaks: 'sometimes',
    plant: onResult((_message, draft, { index }) => {
      let at = index;
      while ((draft.messages[at] as { role?: unknown } | undefined)?.role === 'tool') at += 1;
      draft.messages.splice(at, 0, { role: 'user', content: freshText(draft, 'and') });
    }),
  },
  {
    name: 'illegal name in a result',
    breaks: 'always',
    plant: onResult((message, _draft, { random }) => {
      message['name'] = random.pick(['', 'a b', 'n'.repeat(65), 'é']);
    }),
  },
  {
    name: 'reasoning in a question',
    breaks: 'always',
    plant: insertingBetweenSteps((draft) => ({ role: 'user', content: [thought(draft)] })),
  },
  {
    name: 'reasoning in an answer',
    breaks: 'sometimes',
    plant: insertingBetweenSteps((draft) => ({
      role: 'assistant',
      content: [thought(draft), { type: 'text', text: freshText(draft, 'answer') }],
    })),
  },
  {
    name: 'reasoning in a result',
    breaks: 'always',
    plant: onResult((message, draft) => void (message['content'] = [thought(draft)])),
  },
  {
    name: 'document in an answer',
    breaks: 'always',
    plant: insertingBetweenSteps((draft) => ({
      role: 'assistant',
      content: [
        { type: 'text', text: freshText(draft, 'answer') },
        { type: 'document_url', document_url: 'https://example.org' },
      ],
    })),
  },
  {
    name: 'developer message',
    breaks: 'always',
    plant: insertingBetweenSteps((draft) => ({ role: 'developer', content: freshText(draft, 'note') })),
  },
];

/** Ways in which Mistral histories go wrong. */
export const mistralDefects: readonly Defect[] = [...shared, ...own];
