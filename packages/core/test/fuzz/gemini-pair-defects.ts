import type { Change, Defect, Draft, Fields, Plant } from './draft.ts';
import { anyOf, defectsIn, freshId, freshText, GONE, isFields, placesOf, set } from './draft.ts';
import { asks, call, innerOf, result, says, sign, text, userMessage } from './gemini-drafts.ts';
import { isModel, setSignature, spotsOf, stepOf, takeOut, type Spot, onPart } from './gemini-places.ts';
import type { Random } from './random.ts';

const plain = { ids: false, snake: false, thinks: false };

const onCall = (change: Change<Spot>): Plant => onPart('call', change);
const onResult = (change: Change<Spot>): Plant => onPart('result', change);

/** Runs a change on the first call of a step of the current turn, where the draft ends with one. */
const onCurrentStep = (change: (calls: readonly Spot[], draft: Draft) => boolean | void): Plant =>
  onPart('call', (spot, draft) => change(stepOf(draft, spot).calls, draft));

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

const pairs: Defect[] = defectsIn({
  always: {
    'dangling call': onCall((spot, draft) => {
      const { results } = stepOf(draft, spot);
      for (const found of results) takeOut(draft, found);
      return results.length > 0;
    }),
    'partly answered batch': onCall((spot, draft, random) => {
      const { results } = stepOf(draft, spot);
      const lost = anyOf(random, results);
      if (results.length < 2 || !lost) return false;
      takeOut(draft, lost);
      return true;
    }),
    'orphan result': (draft, random) => {
      const part = result(draft, call(draft, { ...plain, ids: random.chance(2) }, 'lost'), random);
      draft.messages.splice(random.between(0, draft.messages.length), 0, asks(part));
      return true;
    },
    'duplicate result, same content': onResult(
      ({ parts, at, part }) => void parts.splice(at, 0, structuredClone(part)),
    ),
    'duplicate result, different content': onResult(
      ({ parts, at, part }, draft) =>
        void parts.splice(at, 0, withInner(part, { response: { result: freshText(draft, 'other output') } })),
    ),
    'duplicate result, later': onResult((spot, draft, random) => {
      spot.parts.splice(spot.at, 0, withInner(spot.part, { response: { result: freshText(draft, 'other output') } }));
      moveBehindModel(draft, random, spot);
    }),
    'late result after a placeholder': onResult((spot, draft, random) => {
      const error = '[interrupted: no result was recorded for this call. It may have run fully, partly or not at all.]';
      spot.parts.splice(spot.at, 0, withInner(spot.part, { response: { error }, parts: undefined }));
      moveBehindModel(draft, random, spot);
    }),
    'call at the end': (draft) =>
      draft.messages.push(says(text(draft), sign(draft, call(draft, plain)), call(draft, plain))) > 0,
    'front cut away before a call': onCall(({ index }, draft) => void draft.messages.splice(0, index)),
    'call in a user message': (draft) => draft.messages.push(asks(call(draft, plain))) > 0,
    'result in the message of its call': onCall(
      ({ parts, part }, draft, random) => void parts.push(result(draft, part, random)),
    ),
  },
  sometimes: {
    'displaced result': onResult((spot, draft, random) => moveBehindModel(draft, random, spot)),
    'user text between call and result': onCall(
      ({ index }, draft, random) => void draft.messages.splice(index + 1, 0, userMessage(draft, random)),
    ),
  },
  never: {
    'result after text': onResult(({ parts, at }, draft) => void parts.splice(at, 0, text(draft, 'early'))),
    'text after a call': onCall(({ parts, at }, draft) => void parts.splice(at + 1, 0, text(draft, 'trailing'))),
    'answer after a call': onCall(
      ({ index }, draft) => void draft.messages.splice(index + 1, 0, says(text(draft, 'answer'))),
    ),
    'answer in a content of its own before a call': onCall(({ index }, draft, random) => {
      const more = Array.from({ length: random.between(1, 3) }, () => says(text(draft, 'answer')));
      draft.messages.splice(index, 0, ...more);
    }),
    'results in contents of their own': onResult(({ index, parts, part }, draft) => {
      if (parts.length < 2) return false;
      parts.splice(parts.indexOf(part), 1);
      const kept = parts.filter(isFields).some((each) => 'functionResponse' in each || 'function_response' in each);
      draft.messages.splice(kept ? index + 1 : index, 0, asks(part));
      return true;
    }),
  },
});

const identity: Defect[] = defectsIn({
  always: {
    'result without a name': onResult(set('name', ...illegalNames)),
    'illegal name': onCall(set('name', ...illegalNames)),
    'arguments that are no object': onCall(set('args', ...illegalArgs)),
    'wrong result content': onResult(set('response', ...illegalResponses)),
  },
  sometimes: {
    'id changed on one side': onResult(({ fields: inner }, draft) => {
      if (inner['id'] === undefined) return false;
      inner['id'] = freshId(draft, 'other_');
      return true;
    }),
    'missing result id': onResult(({ fields: inner }, _draft, random) => {
      if (inner['id'] === undefined) return false;
      if (random.chance(2)) delete inner['id'];
      else inner['id'] = random.pick<unknown>(['', null, 7]);
      return true;
    }),
    'id of a result that repeats another': onCall((spot, draft) => {
      const [first, second] = stepOf(draft, spot).results;
      if (!first || !second || first.fields['id'] === undefined) return false;
      second.fields['id'] = first.fields['id'];
      return true;
    }),
  },
  never: {
    'missing call id': onCall(set('id', GONE)),
    'one id for a whole step': onCall((spot, draft) => {
      const id = freshId(draft, 'same_');
      const { calls, results } = stepOf(draft, spot);
      for (const { fields } of [...calls, ...results]) fields['id'] = id;
    }),
    're-used id across turns': onCall((spot, draft) => {
      const id = spotsOf(draft, 'call').find(({ index }) => index < spot.index)?.fields['id'];
      const { calls, results } = stepOf(draft, spot);
      if (id === undefined || calls.length !== 1 || !calls[0] || !results[0]) return false;
      calls[0].fields['id'] = id;
      results[0].fields['id'] = id;
      return true;
    }),
    'id that looks like a name': onCall((spot, draft, random) => {
      const { calls, results } = stepOf(draft, spot);
      if (calls.length !== 1 || !calls[0] || !results[0]) return false;
      const id = random.pick(['#read_file', '#', '\u0000#read_file']);
      calls[0].fields['id'] = id;
      results[0].fields['id'] = id;
      return true;
    }),
    'result of another name': onResult(set('name', 'renamed')),
    'no arguments': onCall(set('args', null, undefined, {})),
  },
});

const signatures: Defect[] = defectsIn({
  always: {
    'corrupted signature': onPart('signed', ({ part }, _draft, random) =>
      setSignature(part, random.pick<unknown>(['sig nature', 'a', 'abcde', '=', 7, 'x\ud800', {}])),
    ),
    'corrupted signature on a text': onPart('text', ({ part }) => void (part['thoughtSignature'] = 'not base64!')),
  },
  sometimes: {
    'signature lost': onCurrentStep(([first]) => {
      if (first) setSignature(first.part, undefined);
    }),
    'signature emptied': onCurrentStep(([first]) => {
      if (first) setSignature(first.part, '');
    }),
    'signatures lost everywhere': (draft) => {
      const signed = spotsOf(draft, 'signed');
      for (const { part } of signed) setSignature(part, undefined);
      return signed.length > 0;
    },
    'signature on the second call': onCurrentStep(([first, second]) => {
      if (!first || !second) return false;
      setSignature(first.part, undefined);
      setSignature(second.part, 'c2ln');
      return true;
    }),
  },
  never: {
    'stand-in signature': onPart('signed', ({ part }, _draft, random) =>
      setSignature(part, random.pick(['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'])),
    ),
  },
});

/** Ways in which calls and results lose one another, and what the model signed. */
export const geminiPairDefects: readonly Defect[] = [...pairs, ...identity, ...signatures];
