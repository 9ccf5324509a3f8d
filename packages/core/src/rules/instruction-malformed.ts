import type { Rule } from '../model/rule.ts';
import { isBlank, isRecord, readableJson } from '../model/value.ts';
import { saysNothing } from './remedies/gemini-parts.ts';

/** The instruction of the system is a content like those of the list, without a role. */
export const instructionMalformed: Rule = {
  id: 'instruction-malformed',
  title: 'the instruction of the system is not a content',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'none',
  evidence: { gemini: ['ge-part-data', 'ge-role'] },
  trigger: 'instruction-malformed',
  summary:
    'The instruction was given as a plain text, as other providers take it, or a writer left an empty part in it. ' +
    'Texts become parts; parts that say nothing go.',
  explain: (found) => `the field ${String(found.fact.detail)} is not a content with parts`,
  providerError: {
    gemini: ({ fact, body }) => {
      const given = body?.[String(fact.detail)];
      const parts = isRecord(given) && Array.isArray(given['parts']) ? (given['parts'] as unknown[]) : [];
      const empty = parts.findIndex(saysNothing);
      const at = `* GenerateContentRequest.system_instruction.parts[${String(empty)}]`;
      return empty === -1 ? undefined : `${at}.data: required oneof field 'data' must have one initialized field`;
    },
  },
  repair: ({ fact, body }) => {
    const key = String(fact.detail);
    const given = body?.[key];
    const content = isRecord(given) ? given : {};
    const parts = [isRecord(given) ? given['parts'] : given].flat().flatMap(toPart);
    return {
      edits: [{ kind: 'body', fields: { [key]: parts.length === 0 ? undefined : { ...content, parts } } }],
      action: 'rewrite',
      loss: 'none',
      note: `made the field ${key} a content with ${String(parts.length)} parts`,
    };
  },
};

/** A part of the instruction; none where there is nothing to read. */
function toPart(piece: unknown): unknown[] {
  if (isRecord(piece)) return saysNothing(piece) ? [] : [piece];
  const text = piece === null || piece === undefined ? '' : readableJson(piece);
  return isBlank(text) ? [] : [{ text }];
}
