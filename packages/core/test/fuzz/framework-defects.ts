import { freshId, freshText, type Defect } from './draft.ts';
import { displace, inserting, insertingBetweenSteps, onCall, onResult, rename, type Speech } from './speech.ts';

const wrongMessages: unknown[] = [null, undefined, 'text', 7, [], {}, true];

const lostPairs = (speech: Speech): Defect[] => [
  {
    // A call that was approved may wait for the framework to run it.
    name: 'dangling call',
    breaks: 'sometimes',
    plant: onResult(speech, (spot) => spot.remove()),
  },
  {
    name: 'call at the end',
    breaks: 'always',
    plant: (draft) => draft.messages.push(...speech.calling(draft, speech.call(draft), speech.call(draft))) > 0,
  },
  {
    name: 'orphan result',
    breaks: 'always',
    plant: inserting((draft) => speech.returning(draft, freshId(draft, 'call_lost_'))),
  },
  {
    name: 'leading result',
    breaks: 'always',
    plant: (draft) => draft.messages.unshift(speech.returning(draft, 'call_cut')) > 0,
  },
  {
    name: 'duplicate result, same content',
    breaks: 'always',
    plant: onResult(speech, ({ index, result }, draft) => {
      const text = freshText(draft, 'output');
      speech.setText(result, text);
      const copy = { ...speech.returning(draft, result[speech.resultId], text), note: draft.count };
      draft.messages.splice(index + 1, 0, copy);
    }),
  },
  {
    name: 'duplicate result, different content',
    breaks: 'always',
    plant: onResult(
      speech,
      ({ index, result }, draft) =>
        void draft.messages.splice(
          index + 1,
          0,
          speech.returning(draft, result[speech.resultId], freshText(draft, 'other output')),
        ),
    ),
  },
  {
    name: 'displaced result',
    breaks: 'always',
    plant: onResult(speech, (spot, draft, random) => displace(speech, draft, { spot, random })),
  },
  {
    name: 'user text between call and result',
    breaks: 'always',
    plant: onResult(speech, ({ index, result }, draft, random) => {
      const call = speech.calls(draft).findLast((spot) => spot.index < index);
      if (!call || call.call[speech.callId] !== result[speech.resultId]) return false;
      draft.messages.splice(call.index + 1, 0, speech.user(draft, random));
      return true;
    }),
  },
  {
    name: 'missing result id',
    breaks: 'always',
    plant: onResult(
      speech,
      ({ result }, _draft, random) =>
        void (random.chance(2) ? delete result[speech.resultId] : (result[speech.resultId] = 7)),
    ),
  },
];

const identities = (speech: Speech): Defect[] => [
  {
    name: 'duplicate id in a batch, answered once',
    breaks: 'always',
    plant: onCall(speech, (spot, draft) => spot.add(speech.call(draft, String(spot.call[speech.callId])))),
  },
  {
    name: 're-used id across turns',
    breaks: 'never',
    plant: onCall(speech, (spot, draft) => {
      const earlier = speech.calls(draft).find(({ index }) => index < spot.index);
      const mine = speech.calls(draft).filter(({ index }) => index === spot.index);
      if (!earlier || mine.length > 1) return false;
      const answer = speech
        .results(draft)
        .find(({ index, result }) => index > spot.index && result[speech.resultId] === spot.call[speech.callId]);
      const id = earlier.call[speech.callId];
      spot.call[speech.callId] = id;
      if (answer) answer.result[speech.resultId] = id;
      return true;
    }),
  },
  {
    name: 'id changed on one side',
    breaks: 'always',
    plant: onCall(speech, (spot, draft) => void (spot.call[speech.callId] = freshId(draft, 'call_'))),
  },
  {
    name: 'empty id',
    breaks: 'always',
    plant: onCall(speech, (spot, draft) => rename(speech, draft, { spot, id: '' })),
  },
  {
    name: 'missing call id',
    breaks: 'always',
    plant: onCall(
      speech,
      ({ call }, _draft, random) =>
        void (random.chance(2)
          ? delete call[speech.callId]
          : (call[speech.callId] = random.pick<unknown>([7, null, {}]))),
    ),
  },
  {
    name: 'missing name',
    breaks: 'always',
    plant: onCall(speech, ({ call }, _draft, random) => {
      if (random.chance(2)) delete call[speech.callName];
      else call[speech.callName] = random.pick<unknown>([7, null]);
    }),
  },
];

const messages = (speech: Speech): Defect[] => [
  { name: 'no message at all', breaks: 'always', plant: inserting((_draft, random) => random.pick(wrongMessages)) },
  {
    name: 'lone surrogate in text',
    breaks: 'always',
    plant: insertingBetweenSteps(speech, (draft, random) => {
      const message = speech.user(draft, random);
      return { ...message, note: freshText(draft, `cut ${random.pick(['\ud83d', '\udca9'])}`) };
    }),
  },
  {
    name: 'lone surrogate in an id',
    breaks: 'always',
    plant: onCall(speech, (spot, draft) => rename(speech, draft, { spot, id: 'id\ud800' })),
  },
  {
    name: 'lone surrogate in a result',
    breaks: 'always',
    plant: onResult(speech, ({ result }) => speech.setText(result, 'out\udc00')),
  },
  {
    name: 'extra keys',
    breaks: 'never',
    plant: insertingBetweenSteps(speech, (draft, random) => ({ ...speech.user(draft, random), timestamp: 7 })),
  },
  {
    name: 'consecutive users',
    breaks: 'never',
    plant: insertingBetweenSteps(speech, (draft, random) => speech.user(draft, random)),
  },
  {
    name: 'consecutive assistants',
    breaks: 'sometimes',
    plant: insertingBetweenSteps(speech, (draft, random) => speech.say(draft, random)),
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

/** Ways in which the history of any framework goes wrong. */
export const frameworkDefects = (speech: Speech): Defect[] => [
  ...lostPairs(speech),
  ...identities(speech),
  ...messages(speech),
];
