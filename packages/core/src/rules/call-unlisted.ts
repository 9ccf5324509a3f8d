import { replacePart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { callOf, placeOf, wireOf, spokenOf } from './remedies/place.ts';

/** A framework that lists calls beside the content sends those of the list, and most of its converters no others. */
export const callUnlisted: Rule = {
  id: 'call-unlisted',
  title: 'a call stands only among the content',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { langchain: ['lg-invalid', 'oc-tool-orphan'] },
  trigger: 'call-unlisted',
  summary:
    'One provider gives its calls among the content, and the framework lists them beside it as well. A store that ' +
    'keeps the content alone loses the list: the call is then left out for every other provider, and its result ' +
    'answers nothing. The call is put on the list.',
  explain: (found) => `${spokenOf('call', callOf(found, found.fact).callId)} is not among the calls of its message`,
  repair: (found) => {
    const call = callOf(found, found.fact);
    const { input: _input, ...rest } = wireOf(call);
    const wire = { ...rest, args: call.input, type: 'tool_call' };
    return {
      edits: [replacePart(placeOf(found), { ...call, wire })],
      action: 'restore',
      loss: 'none',
      note: `put ${spokenOf('call', call.callId)} on the list of calls`,
    };
  },
};
