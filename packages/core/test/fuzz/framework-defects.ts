import type { Defect } from './draft.ts';
import { cutText, defectsIn, emptied, freshId, freshText, GONE, inserting, set, wrongMessages } from './draft.ts';
import { displace, insertingBetweenSteps, onCall, onResult, rename, type Speech } from './speech.ts';

const lostPairs = (speech: Speech): Defect[] =>
  defectsIn({
    always: {
      'call at the end': (draft) =>
        draft.messages.push(...speech.calling(draft, speech.call(draft), speech.call(draft))) > 0,
      'orphan result': inserting((draft) => speech.returning(draft, freshId(draft, 'call_lost_'))),
      'leading result': (draft) => draft.messages.unshift(speech.returning(draft, 'call_cut')) > 0,
      'duplicate result, same content': onResult(speech, ({ index, fields: result }, draft) => {
        const text = freshText(draft, 'output');
        speech.setText(result, text);
        const copy = { ...speech.returning(draft, result[speech.resultId], text), note: draft.count };
        draft.messages.splice(index + 1, 0, copy);
      }),
      'duplicate result, different content': onResult(
        speech,
        ({ index, fields: result }, draft) =>
          void draft.messages.splice(
            index + 1,
            0,
            speech.returning(draft, result[speech.resultId], freshText(draft, 'other output')),
          ),
      ),
      'displaced result': onResult(speech, (spot, draft, random) => displace(speech, draft, { spot, random })),
      'user text between call and result': onResult(speech, ({ index, fields: result }, draft, random) => {
        const call = speech.calls(draft).findLast((spot) => spot.index < index);
        if (!call || call.fields[speech.callId] !== result[speech.resultId]) return false;
        draft.messages.splice(call.index + 1, 0, speech.user(draft, random));
        return true;
      }),
      'missing result id': onResult(speech, set(speech.resultId, GONE, 7)),
    },
    sometimes: {
      // A call that was approved may wait for the framework to run it.
      'dangling call': onResult(speech, (spot) => spot.remove()),
    },
  });

const identities = (speech: Speech): Defect[] =>
  defectsIn({
    always: {
      'duplicate id in a batch, answered once': onCall(speech, (spot, draft) =>
        spot.add(speech.call(draft, String(spot.fields[speech.callId]))),
      ),
      'id changed on one side': onCall(
        speech,
        (spot, draft) => void (spot.fields[speech.callId] = freshId(draft, 'call_')),
      ),
      'empty id': onCall(speech, (spot, draft) => rename(speech, draft, { spot, id: '' })),
      'missing call id': onCall(speech, set(speech.callId, GONE, 7, null, {})),
      'missing name': onCall(speech, set(speech.callName, GONE, 7, null)),
    },
    never: {
      're-used id across turns': onCall(speech, (spot, draft) => {
        const earlier = speech.calls(draft).find(({ index }) => index < spot.index);
        const mine = speech.calls(draft).filter(({ index }) => index === spot.index);
        if (!earlier || mine.length > 1) return false;
        const answer = speech
          .results(draft)
          .find(
            ({ index, fields: result }) => index > spot.index && result[speech.resultId] === spot.fields[speech.callId],
          );
        const id = earlier.fields[speech.callId];
        spot.fields[speech.callId] = id;
        if (answer) answer.fields[speech.resultId] = id;
        return true;
      }),
    },
  });

const messages = (speech: Speech): Defect[] =>
  defectsIn({
    always: {
      'no message at all': inserting((_draft, random) => random.pick(wrongMessages)),
      'lone surrogate in text': insertingBetweenSteps(speech, (draft, random) => {
        const message = speech.user(draft, random);
        return { ...message, note: cutText(draft, random) };
      }),
      'lone surrogate in an id': onCall(speech, (spot, draft) => rename(speech, draft, { spot, id: 'id\ud800' })),
      'lone surrogate in a result': onResult(speech, ({ fields: result }) => speech.setText(result, 'out\udc00')),
    },
    sometimes: {
      'consecutive assistants': insertingBetweenSteps(speech, (draft, random) => speech.say(draft, random)),
      'empty list': emptied,
    },
    never: {
      'extra keys': insertingBetweenSteps(speech, (draft, random) => ({ ...speech.user(draft, random), timestamp: 7 })),
      'consecutive users': insertingBetweenSteps(speech, (draft, random) => speech.user(draft, random)),
    },
  });

/** Ways in which the history of any framework goes wrong. */
export const frameworkDefects = (speech: Speech): Defect[] => [
  ...lostPairs(speech),
  ...identities(speech),
  ...messages(speech),
];
