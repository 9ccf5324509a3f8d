import { replacePart } from '../../model/edit.ts';
import type { Part } from '../../model/part.ts';
import type { Case, Rule } from '../../model/rule.ts';
import { resultOf } from '../batch.ts';
import { placeOf } from '../place.ts';

const UNNAMED = 'unknown_tool';

/** Where results carry the name of their tool, one without it cannot be read back. */
export const resultNameMissing: Rule = {
  id: 'result-name-missing',
  title: 'a result does not name its tool',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'pydantic-ai': ['py-repair'] },
  trigger: 'result-name-missing',
  summary:
    'A result was rebuilt from a format in which only the call names the tool. The name is taken from the ' +
    'call it answers; where there is none, a name stands in that says so.',
  explain: (found) => `result ${resultOf(found, found.fact).callId} does not name its tool`,
  repair: (found) => {
    const result = resultOf(found, found.fact);
    const tool = toolOf(found, result.callId);
    return {
      edits: [replacePart(placeOf(found), { ...result, tool, edited: true })],
      action: 'restore',
      loss: 'none',
      note: `named the tool of result ${result.callId} ${tool}`,
    };
  },
  examples: () => [
    {
      name: 'a result that names its tool',
      dialect: 'pydantic-ai',
      clean: exchange({ tool_name: 'read' }),
    },
    {
      name: 'a result without the name of its tool',
      dialect: 'pydantic-ai',
      before: exchange({}),
      after: exchange({ tool_name: 'read' }),
    },
  ],
};

function exchange(name: { tool_name?: string }): unknown[] {
  return [
    { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: {}, tool_call_id: 'c1' }] },
    { kind: 'request', parts: [{ part_kind: 'tool-return', content: 'A', tool_call_id: 'c1', ...name }] },
  ];
}

/** The tool of the call that a result in this place answers. */
function toolOf(found: Case, callId: string): string {
  let index = found.fact.message;
  while (index >= 0 && found.message(index).role !== 'assistant') index -= 1;
  for (; index >= 0 && found.message(index).role === 'assistant'; index -= 1) {
    const call = found.message(index).parts.find((part) => isCall(part, callId));
    if (call !== undefined && 'tool' in call && call.tool !== undefined && call.tool !== '') return call.tool;
  }
  return UNNAMED;
}

function isCall(part: Part, callId: string): boolean {
  return part.kind === 'call' && !part.server && part.callId === callId;
}
