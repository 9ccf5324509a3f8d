import { anyOf, freshId, freshText, isFields, placesOf, type Defect, type Draft, type Fields } from './draft.ts';
import { asks, call, innerOf, result, says, sign, text, userMessage } from './gemini-drafts.ts';
import { anySpot, isModel, setSignature, spotsOf, stepOf, takeOut, type Kind, type Spot } from './gemini-places.ts';
import type { Random } from './random.ts';

const plain = { ids: false, snake: false, thinks: false };

type Change = (spot: Spot, draft: Draft, random: Random) => boolean | void;

const onPart =
  (kind: Kind, change: Change): Defect['plant'] =>
  (draft, random) => {
    const spot = anySpot(draft, random, kind);
    return spot !== undefined && change(spot, draft, random) !== false;
  };

const onCall = (change: Change): Defect['plant'] => onPart('call', change);
const onResult = (change: Change): Defect['plant'] => onPart('result', change);

/** Runs a change on the first call of a step of the current turn, where the draft ends with one. */
const onCurrentStep =
  (change: (calls: readonly Spot[], draft: Draft) => boolean | void): Defect['plant'] =>
  (draft, random) => {
    const spot = anySpot(draft, random, 'call');
    return spot !== undefined && change(stepOf(draft, spot).calls, draft) !== false;
  };

/** Moves a part into a content of the user that a later answer separates from where it stood. */
function moveBehindModel(draft: Draft, random: Random, spot: Spot): void {
  takeOut(draft, spot);
  let later = placesOf(draft, isModel).filter(({ index }) => index > spot.index);
  if (later.length === 0) {
    draft.messages.push(says(text(draft, 'answer')));
    later = [{ index: draft.messages.length - 1, message: {} }];
  }
  draft.messages.splice((anyOf(random, later)?.index ?? 0) + 1, 0, asks(spot.part));
}

/** A copy of a part with other fields in the object that holds its call or result. */
function withInner(part: Fields, fields: Fields): Fields {
  const key = Object.keys(part).find((each) => part[each] === innerOf(part)) ?? 'functionResponse';
  return { ...part, [key]: { ...innerOf(part), ...fields } };
}

const illegalNames: unknown[] = ['', 7, null, undefined];
const illegalArgs: unknown[] = ['{"path":"a', '{"path":"a"}', 'plain', 7, true, [1]];
const illegalResponses: unknown[] = ['plain', '', 7, false, ['x'], null, undefined];

const pairs: Defect[] = [
  {
    name: 'dangling call',
    breaks: 'always',
    plant: onCall((spot, draft) => {
      const { results } = stepOf(draft, spot);
      for (const found of results) takeOut(draft, found);
      return results.length > 0;
    }),
  },
  {
    name: 'partly answered batch',
    breaks: 'always',
    plant: onCall((spot, draft, random) => {
      const { results } = stepOf(draft, spot);
      const lost = anyOf(random, results);
      if (results.length < 2 || !lost) return false;
      takeOut(draft, lost);
      return true;
    }),
  },
  {
    name: 'orphan result',
    breaks: 'always',
    plant: (draft, random) => {
      const part = result(draft, call(draft, { ...plain, ids: random.chance(2) }, 'lost'), random);
      draft.messages.splice(random.between(0, draft.messages.length), 0, asks(part));
      return true;
    },
  },
  {
    name: 'duplicate result, same content',
    breaks: 'always',
    plant: onResult(({ parts, at, part }) => void parts.splice(at, 0, structuredClone(part))),
  },
  {
    name: 'duplicate result, different content',
    breaks: 'always',
    plant: onResult(
      ({ parts, at, part }, draft) =>
        void parts.splice(at, 0, withInner(part, { response: { result: freshText(draft, 'other output') } })),
    ),
  },
  {
    name: 'duplicate result, later',
    breaks: 'always',
    plant: onResult((spot, draft, random) => {
      spot.parts.splice(spot.at, 0, withInner(spot.part, { response: { result: freshText(draft, 'other output') } }));
      moveBehindModel(draft, random, spot);
    }),
  },
  {
    name: 'displaced result',
    breaks: 'sometimes',
    plant: onResult((spot, draft, random) => moveBehindModel(draft, random, spot)),
  },
  {
    name: 'late result after a placeholder',
    breaks: 'always',
    plant: onResult((spot, draft, random) => {
      const error = '[interrupted: no result was recorded for this call. It may have run fully, partly or not at all.]';
      spot.parts.splice(spot.at, 0, withInner(spot.part, { response: { error }, parts: undefined }));
      moveBehindModel(draft, random, spot);
    }),
  },
  {
    name: 'result after text',
    breaks: 'never',
    plant: onResult(({ parts, at }, draft) => void parts.splice(at, 0, text(draft, 'early'))),
  },
  {
    name: 'text after a call',
    breaks: 'never',
    plant: onCall(({ parts, at }, draft) => void parts.splice(at + 1, 0, text(draft, 'trailing'))),
  },
  {
    name: 'answer after a call',
    breaks: 'never',
    plant: onCall(({ index }, draft) => void draft.messages.splice(index + 1, 0, says(text(draft, 'answer')))),
  },
  {
    name: 'user text between call and result',
    breaks: 'sometimes',
    plant: onCall(({ index }, draft, random) => void draft.messages.splice(index + 1, 0, userMessage(draft, random))),
  },
  {
    name: 'call at the end',
    breaks: 'always',
    plant: (draft) => draft.messages.push(says(text(draft), sign(draft, call(draft, plain)), call(draft, plain))) > 0,
  },
  {
    name: 'answer in a content of its own before a call',
    breaks: 'never',
    plant: onCall(({ index }, draft, random) => {
      const more = Array.from({ length: random.between(1, 3) }, () => says(text(draft, 'answer')));
      draft.messages.splice(index, 0, ...more);
    }),
  },
  {
    name: 'front cut away before a call',
    breaks: 'always',
    plant: onCall(({ index }, draft) => void draft.messages.splice(0, index)),
  },
  {
    name: 'results in contents of their own',
    breaks: 'never',
    plant: onResult(({ index, parts, part }, draft) => {
      if (parts.length < 2) return false;
      parts.splice(parts.indexOf(part), 1);
      const kept = parts.filter(isFields).some((each) => 'functionResponse' in each || 'function_response' in each);
      draft.messages.splice(kept ? index + 1 : index, 0, asks(part));
      return true;
    }),
  },
  {
    name: 'call in a user message',
    breaks: 'always',
    plant: (draft) => draft.messages.push(asks(call(draft, plain))) > 0,
  },
  {
    name: 'result in the message of its call',
    breaks: 'always',
    plant: onCall(({ parts, part }, draft, random) => void parts.push(result(draft, part, random))),
  },
];

const identity: Defect[] = [
  {
    name: 'id changed on one side',
    breaks: 'sometimes',
    plant: onResult(({ inner }, draft) => {
      if (inner['id'] === undefined) return false;
      inner['id'] = freshId(draft, 'other_');
      return true;
    }),
  },
  {
    name: 'missing result id',
    breaks: 'sometimes',
    plant: onResult(({ inner }, _draft, random) => {
      if (inner['id'] === undefined) return false;
      if (random.chance(2)) delete inner['id'];
      else inner['id'] = random.pick<unknown>(['', null, 7]);
      return true;
    }),
  },
  { name: 'missing call id', breaks: 'never', plant: onCall(({ inner }) => delete inner['id']) },
  {
    name: 'id of a result that repeats another',
    breaks: 'sometimes',
    plant: onCall((spot, draft) => {
      const [first, second] = stepOf(draft, spot).results;
      if (!first || !second || first.inner['id'] === undefined) return false;
      second.inner['id'] = first.inner['id'];
      return true;
    }),
  },
  {
    name: 'one id for a whole step',
    breaks: 'never',
    plant: onCall((spot, draft) => {
      const id = freshId(draft, 'same_');
      const { calls, results } = stepOf(draft, spot);
      for (const { inner } of [...calls, ...results]) inner['id'] = id;
    }),
  },
  {
    name: 're-used id across turns',
    breaks: 'never',
    plant: onCall((spot, draft) => {
      const id = spotsOf(draft, 'call').find(({ index }) => index < spot.index)?.inner['id'];
      const { calls, results } = stepOf(draft, spot);
      if (id === undefined || calls.length !== 1 || !calls[0] || !results[0]) return false;
      calls[0].inner['id'] = id;
      results[0].inner['id'] = id;
      return true;
    }),
  },
  {
    name: 'id that looks like a name',
    breaks: 'never',
    plant: onCall((spot, draft, random) => {
      const { calls, results } = stepOf(draft, spot);
      if (calls.length !== 1 || !calls[0] || !results[0]) return false;
      const id = random.pick(['#read_file', '#', '\u0000#read_file']);
      calls[0].inner['id'] = id;
      results[0].inner['id'] = id;
      return true;
    }),
  },
  { name: 'result of another name', breaks: 'never', plant: onResult(({ inner }) => void (inner['name'] = 'renamed')) },
  {
    name: 'result without a name',
    breaks: 'always',
    plant: onResult(({ inner }, _draft, random) => void (inner['name'] = random.pick(illegalNames))),
  },
  {
    name: 'illegal name',
    breaks: 'always',
    plant: onCall(({ inner }, _draft, random) => void (inner['name'] = random.pick(illegalNames))),
  },
  {
    name: 'arguments that are no object',
    breaks: 'always',
    plant: onCall(({ inner }, _draft, random) => void (inner['args'] = random.pick(illegalArgs))),
  },
  {
    name: 'no arguments',
    breaks: 'never',
    plant: onCall(({ inner }, _draft, random) => void (inner['args'] = random.pick<unknown>([null, undefined, {}]))),
  },
  {
    name: 'wrong result content',
    breaks: 'always',
    plant: onResult(({ inner }, _draft, random) => void (inner['response'] = random.pick(illegalResponses))),
  },
];

const signatures: Defect[] = [
  {
    name: 'signature lost',
    breaks: 'sometimes',
    plant: onCurrentStep(([first]) => {
      if (first) setSignature(first.part, undefined);
    }),
  },
  {
    name: 'signature emptied',
    breaks: 'sometimes',
    plant: onCurrentStep(([first]) => {
      if (first) setSignature(first.part, '');
    }),
  },
  {
    name: 'signatures lost everywhere',
    breaks: 'sometimes',
    plant: (draft) => {
      const signed = spotsOf(draft, 'signed');
      for (const { part } of signed) setSignature(part, undefined);
      return signed.length > 0;
    },
  },
  {
    name: 'signature on the second call',
    breaks: 'sometimes',
    plant: onCurrentStep(([first, second]) => {
      if (!first || !second) return false;
      setSignature(first.part, undefined);
      setSignature(second.part, 'c2ln');
      return true;
    }),
  },
  {
    name: 'corrupted signature',
    breaks: 'always',
    plant: onPart('signed', ({ part }, _draft, random) =>
      setSignature(part, random.pick<unknown>(['sig nature', 'a', 'abcde', '=', 7, 'x\ud800', {}])),
    ),
  },
  {
    name: 'stand-in signature',
    breaks: 'never',
    plant: onPart('signed', ({ part }, _draft, random) =>
      setSignature(part, random.pick(['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'])),
    ),
  },
  {
    name: 'corrupted signature on a text',
    breaks: 'always',
    plant: (draft, random) => {
      const spot = anyOf(random, spotsOf(draft, 'text'));
      if (spot) spot.part['thoughtSignature'] = 'not base64!';
      return spot !== undefined;
    },
  },
];

/** Ways in which calls and results lose one another, and what the model signed. */
export const geminiPairDefects: readonly Defect[] = [...pairs, ...identity, ...signatures];
