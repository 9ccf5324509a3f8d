import { answer, approval, message, searched, settled, text, tool, user } from './ai-sdk-ui-drafts.ts';
import {
  anyOf,
  freshId,
  freshText,
  isFields,
  listOf,
  placesOf,
  type Defect,
  type Draft,
  type Fields,
} from './draft.ts';
import type { Random } from './random.ts';
import { inserting } from './speech.ts';

const wrongParts: unknown[] = [7, null, undefined, {}, true, 'text'];
const wrongMessages: unknown[] = [null, undefined, 'text', 7, [], {}, true];
const wrongPieces: unknown[] = [null, 'text', 7, [], {}, { type: 7 }, { type: 'file', url: 'a.png' }];

type Change = (
  part: Fields,
  draft: Draft,
  context: { parts: unknown[]; random: Random; index: number },
) => boolean | void;

const isTool = (part: unknown): part is Fields =>
  isFields(part) && (part['type'] === 'dynamic-tool' || String(part['type']).startsWith('tool-'));

/** Runs a change on a random call of ours. */
const onCall =
  (change: Change): Defect['plant'] =>
  (draft, random) => {
    const placed = anyOf(
      random,
      placesOf(draft, (found) => found['role'] === 'assistant' && listOf(found, 'parts').some(isOurs)),
    );
    const parts = listOf(placed?.message, 'parts');
    const part = anyOf(random, parts.filter(isOurs));
    if (!placed || !part) return false;
    return change(part, draft, { parts, random, index: placed.index }) !== false;
  };

const isOurs = (part: unknown): part is Fields => isTool(part) && part['providerExecuted'] !== true;

/** Takes what came of a call away from it. */
function reopen(part: Fields, state: string): void {
  for (const key of ['output', 'errorText', 'approval']) delete part[key];
  part['state'] = state;
}

const states: Defect[] = [
  { name: 'call without output', breaks: 'always', plant: onCall((part) => reopen(part, 'input-available')) },
  { name: 'call in an unknown state', breaks: 'always', plant: onCall((part) => reopen(part, 'result')) },
  { name: 'call still streaming', breaks: 'sometimes', plant: onCall((part) => reopen(part, 'input-streaming')) },
  {
    name: 'call waiting for approval',
    breaks: 'always',
    plant: onCall((part, draft) => {
      reopen(part, 'approval-requested');
      part['approval'] = approval(draft);
    }),
  },
  {
    name: 'approved call',
    breaks: 'sometimes',
    plant: onCall((part, draft) => {
      reopen(part, 'approval-responded');
      part['approval'] = approval(draft, { approved: true });
    }),
  },
  {
    name: 'preliminary output',
    breaks: 'never',
    plant: onCall((part, draft) => {
      reopen(part, 'output-available');
      Object.assign(part, { output: { so: freshText(draft, 'far') }, preliminary: true });
    }),
  },
  {
    name: 'open calls at the end',
    breaks: 'always',
    plant: (draft, random) => {
      const parts = [tool(draft, random, 'input-available'), tool(draft, random, 'input-available')];
      return draft.messages.push(message(draft, 'assistant', parts)) > 0;
    },
  },
  {
    name: 'open server call',
    breaks: 'sometimes',
    plant: inserting((draft) => message(draft, 'assistant', [searched(draft, 'input-available')])),
  },
];

const identities: Defect[] = [
  {
    name: 'duplicate id in a step',
    breaks: 'always',
    plant: onCall((part, draft, { parts, random }) => {
      const copy = { ...settled(draft, random), toolCallId: part['toolCallId'] };
      if (part['state'] === 'input-streaming') return false;
      parts.splice(parts.indexOf(part) + 1, 0, copy);
      return true;
    }),
  },
  {
    name: 're-used id in another step',
    breaks: 'never',
    plant: onCall((part, draft, { parts, random }) => {
      if (part['state'] === 'input-streaming') return false;
      const copy = { ...settled(draft, random), toolCallId: part['toolCallId'] };
      parts.unshift(copy, { type: 'step-start' });
      return true;
    }),
  },
  { name: 'empty id', breaks: 'always', plant: onCall((part) => void (part['toolCallId'] = '')) },
  {
    name: 'missing call id',
    breaks: 'always',
    plant: onCall((part, _draft, { random }) => {
      if (random.chance(2)) delete part['toolCallId'];
      else part['toolCallId'] = random.pick<unknown>([7, null, {}]);
    }),
  },
  {
    name: 'id of unusual characters',
    breaks: 'sometimes',
    plant: onCall((part, draft) => void (part['toolCallId'] = freshId(draft, 'functions.f:'))),
  },
  {
    name: 'illegal name',
    breaks: 'always',
    plant: onCall((part, _draft, { random }) => {
      if (part['type'] === 'dynamic-tool') part['toolName'] = random.pick<unknown>(['', 'a b', 7, undefined]);
      else part['type'] = random.pick(['tool-', 'tool-a b', 'tool-f.g']);
    }),
  },
  { name: 'call without input', breaks: 'always', plant: onCall((part) => void delete part['input']) },
];

const messages: Defect[] = [
  { name: 'no message at all', breaks: 'always', plant: inserting((_draft, random) => random.pick(wrongMessages)) },
  {
    name: 'wrong role',
    breaks: 'always',
    plant: inserting((draft, random) => ({
      role: random.pick<unknown>(['model', 'tool', 7, null, undefined]),
      content: freshText(draft, 'said'),
    })),
  },
  {
    name: 'wrong parts',
    breaks: 'always',
    plant: inserting((_draft, random) => ({ id: 'm', role: 'user', parts: random.pick(wrongParts) })),
  },
  {
    name: 'message of an earlier version',
    breaks: 'always',
    plant: inserting((draft) => ({ id: 'm', role: 'user', content: freshText(draft, 'said') })),
  },
  {
    name: 'wrong part',
    breaks: 'always',
    plant: inserting((draft, random) => message(draft, 'user', [text(draft, 'said'), random.pick(wrongPieces)])),
  },
  {
    name: 'unknown part',
    breaks: 'never',
    plant: inserting((draft) =>
      message(draft, 'user', [text(draft, 'said'), { type: 'future_part', payload: freshText(draft, 'future') }]),
    ),
  },
  {
    name: 'blank text',
    breaks: 'sometimes',
    plant: inserting((draft) => message(draft, 'user', [{ type: 'text', text: ' ' }])),
  },
  { name: 'empty message', breaks: 'always', plant: inserting((draft) => message(draft, 'user', [])) },
  { name: 'empty answer', breaks: 'sometimes', plant: inserting((draft) => message(draft, 'assistant', [])) },
  {
    name: 'system message in front',
    breaks: 'always',
    plant: (draft) => draft.messages.unshift(message(draft, 'system', [text(draft, 'rules')])) > 0,
  },
  {
    name: 'system message inside',
    breaks: 'always',
    plant: inserting((draft) => message(draft, 'system', [text(draft, 'rules')])),
  },
  {
    name: 'sealed reasoning last',
    breaks: 'always',
    plant: inserting((draft) =>
      message(draft, 'assistant', [
        { type: 'reasoning', text: freshText(draft, 'why'), providerMetadata: { anthropic: { signature: 's' } } },
      ]),
    ),
  },
  {
    name: 'what the user put in meanwhile',
    breaks: 'sometimes',
    plant: inserting((draft, random) => {
      const spoken = answer(draft, random, 1);
      listOf(spoken, 'parts').push({ type: 'steering-message', id: 's', parts: [text(draft, 'stop')] });
      return spoken;
    }),
  },
  {
    name: 'lone surrogate in text',
    breaks: 'always',
    plant: inserting((draft) => message(draft, 'user', [text(draft, 'cut \ud83d')])),
  },
  {
    name: 'lone surrogate in a result',
    breaks: 'always',
    plant: onCall((part) => {
      reopen(part, 'output-available');
      part['output'] = 'out\udc00';
    }),
  },
  { name: 'consecutive users', breaks: 'sometimes', plant: inserting(user) },
  {
    name: 'consecutive assistants',
    breaks: 'sometimes',
    plant: inserting((draft) => message(draft, 'assistant', [text(draft, 'more')])),
  },
  {
    name: 'empty list',
    breaks: 'sometimes',
    plant: (draft) => {
      draft.messages = [];
      return true;
    },
  },
];

/** Ways in which messages of the AI SDK's user interface go wrong. */
export const aiSdkUiDefects: readonly Defect[] = [...states, ...identities, ...messages];
