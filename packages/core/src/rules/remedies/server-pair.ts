import { replacePart, type Edit } from '../../model/edit.ts';
import { textPart, type CallPart, type Part, type ResultPart, type TextPart } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { readableJson } from '../../model/value.ts';
import { callOf } from './batch.ts';

/** Turns a provider-run call and its result into text: the edits for both. */
export function quoteServerPair(found: Case): Edit[] {
  const { message, part = 0 } = found.fact;
  const call = callOf(found, found.fact);
  const edits: Edit[] = [replacePart({ message, part }, quoteCall(call))];
  for (let i = message; i < found.count && found.message(i).role === 'assistant'; i += 1) {
    const index = found.message(i).parts.findIndex((each) => answers(each, call.callId));
    const result = found.message(i).parts[index];
    if (result?.kind !== 'result') continue;
    edits.push(replacePart({ message: i, part: index }, quoteServerResult(call.tool, result)));
    break;
  }
  return edits;
}

function answers(part: Part, callId: string): boolean {
  return part.kind === 'result' && part.server && part.callId === callId;
}

function quoteCall(call: CallPart): TextPart {
  return textPart(`[${call.tool} ${readableJson(call.input ?? {})}]`, call.characters, call.at);
}

function quoteServerResult(tool: string, result: ResultPart): TextPart {
  return textPart(`[${tool} result] ${result.text.toWellFormed()}`, result.characters, result.at);
}
