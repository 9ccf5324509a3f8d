import type { Defect, Draft, Fields, Plant } from './draft.ts';
import {
  anyOf,
  defectsIn,
  emptied,
  freshId,
  freshText,
  inserting,
  isFields,
  listOf,
  placesOf,
  wrongMessages,
} from './draft.ts';
import { answer, approval, message, searched, settled, text, tool, user } from './ai-sdk-ui-drafts.ts';
import type { Random } from './random.ts';

const wrongParts: unknown[] = [7, null, undefined, {}, true, 'text'];
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
  (change: Change): Plant =>
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

const states: Defect[] = defectsIn({
  always: {
    'call without output': onCall((part) => reopen(part, 'input-available')),
    'call in an unknown state': onCall((part) => reopen(part, 'result')),
    'call waiting for approval': onCall((part, draft) => {
      reopen(part, 'approval-requested');
      part['approval'] = approval(draft);
    }),
    'open calls at the end': (draft, random) => {
      const parts = [tool(draft, random, 'input-available'), tool(draft, random, 'input-available')];
      return draft.messages.push(message(draft, 'assistant', parts)) > 0;
    },
  },
  sometimes: {
    'call still streaming': onCall((part) => reopen(part, 'input-streaming')),
    'approved call': onCall((part, draft) => {
      reopen(part, 'approval-responded');
      part['approval'] = approval(draft, { approved: true });
    }),
    'open server call': inserting((draft) => message(draft, 'assistant', [searched(draft, 'input-available')])),
  },
  never: {
    'preliminary output': onCall((part, draft) => {
      reopen(part, 'output-available');
      Object.assign(part, { output: { so: freshText(draft, 'far') }, preliminary: true });
    }),
  },
});

const identities: Defect[] = defectsIn({
  always: {
    'duplicate id in a step': onCall((part, draft, { parts, random }) => {
      const copy = { ...settled(draft, random), toolCallId: part['toolCallId'] };
      if (part['state'] === 'input-streaming') return false;
      parts.splice(parts.indexOf(part) + 1, 0, copy);
      return true;
    }),
    'empty id': onCall((part) => void (part['toolCallId'] = '')),
    'missing call id': onCall((part, _draft, { random }) => {
      if (random.chance(2)) delete part['toolCallId'];
      else part['toolCallId'] = random.pick<unknown>([7, null, {}]);
    }),
    'illegal name': onCall((part, _draft, { random }) => {
      if (part['type'] === 'dynamic-tool') part['toolName'] = random.pick<unknown>(['', 'a b', 7, undefined]);
      else part['type'] = random.pick(['tool-', 'tool-a b', 'tool-f.g']);
    }),
    'call without input': onCall((part) => void delete part['input']),
  },
  sometimes: {
    'id of unusual characters': onCall((part, draft) => void (part['toolCallId'] = freshId(draft, 'functions.f:'))),
  },
  never: {
    're-used id in another step': onCall((part, draft, { parts, random }) => {
      if (part['state'] === 'input-streaming') return false;
      const copy = { ...settled(draft, random), toolCallId: part['toolCallId'] };
      parts.unshift(copy, { type: 'step-start' });
      return true;
    }),
  },
});

const messages: Defect[] = defectsIn({
  always: {
    'no message at all': inserting((_draft, random) => random.pick(wrongMessages)),
    'wrong role': inserting((draft, random) => ({
      role: random.pick<unknown>(['model', 'tool', 7, null, undefined]),
      content: freshText(draft, 'said'),
    })),
    'wrong parts': inserting((_draft, random) => ({ id: 'm', role: 'user', parts: random.pick(wrongParts) })),
    'message of an earlier version': inserting((draft) => ({
      id: 'm',
      role: 'user',
      content: freshText(draft, 'said'),
    })),
    'wrong part': inserting((draft, random) => message(draft, 'user', [text(draft, 'said'), random.pick(wrongPieces)])),
    'empty message': inserting((draft) => message(draft, 'user', [])),
    'system message in front': (draft) => draft.messages.unshift(message(draft, 'system', [text(draft, 'rules')])) > 0,
    'system message inside': inserting((draft) => message(draft, 'system', [text(draft, 'rules')])),
    'sealed reasoning last': inserting((draft) =>
      message(draft, 'assistant', [
        { type: 'reasoning', text: freshText(draft, 'why'), providerMetadata: { anthropic: { signature: 's' } } },
      ]),
    ),
    'lone surrogate in text': inserting((draft) => message(draft, 'user', [text(draft, 'cut \ud83d')])),
    'lone surrogate in a result': onCall((part) => {
      reopen(part, 'output-available');
      part['output'] = 'out\udc00';
    }),
  },
  sometimes: {
    'blank text': inserting((draft) => message(draft, 'user', [{ type: 'text', text: ' ' }])),
    'empty answer': inserting((draft) => message(draft, 'assistant', [])),
    'what the user put in meanwhile': inserting((draft, random) => {
      const spoken = answer(draft, random, 1);
      listOf(spoken, 'parts').push({ type: 'steering-message', id: 's', parts: [text(draft, 'stop')] });
      return spoken;
    }),
    'consecutive users': inserting(user),
    'consecutive assistants': inserting((draft) => message(draft, 'assistant', [text(draft, 'more')])),
    'empty list': emptied,
  },
  never: {
    'unknown part': inserting((draft) =>
      message(draft, 'user', [text(draft, 'said'), { type: 'future_part', payload: freshText(draft, 'future') }]),
    ),
  },
});

/** Ways in which messages of the AI SDK's user interface go wrong. */
export const aiSdkUiDefects: readonly Defect[] = [...states, ...identities, ...messages];
