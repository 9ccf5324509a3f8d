import { replacePart, type Proposal } from '../model/edit.ts';
import type { Case, Rule } from '../model/rule.ts';
import { isRecord, withKeys } from '../model/value.ts';
import { partOf, placeOf, wireOf } from './remedies/place.ts';
import { itemOf } from './remedies/response-items.ts';

/** Reasoning goes back in the form in which the provider gave it. */
export const reasoningMalformed: Rule = {
  id: 'reasoning-malformed',
  title: 'reasoning is not in the form of the provider',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'openai-responses': ['or-reason-shape', 'or-encrypted'] },
  trigger: 'reasoning-malformed',
  summary:
    'The summary was lost, or a local model gave its reasoning as text where this model takes only a summary. ' +
    'The text moves to the summary. Beside sealed content it goes, because the seal covers the summary.',
  explain: () => 'this reasoning needs a list as its summary and no text beside it',
  providerError: {
    'openai-responses': (found) => {
      const { summary, content } = itemOf(found);
      if (!Array.isArray(summary) || !Array.isArray(content) || content.length === 0) return undefined;
      return (
        `Invalid 'input[${String(found.fact.message)}].content': array too long. Expected an array with maximum ` +
        `length 0, but got an array with length ${String(content.length)} instead.`
      );
    },
  },
  repair,
};

function repair(found: Case): Proposal {
  const part = partOf(found);
  const { summary, content, encrypted_content: seal } = wireOf(part);
  const sealed = typeof seal === 'string' && seal !== '';
  const kept = Array.isArray(summary) ? (summary as unknown[]) : asSummary(summary);
  const spoken = found.profile.reasoningText === true && Array.isArray(content) ? [] : asSummary(content);
  const moved = sealed ? [] : spoken;
  const changes = {
    summary: [...kept, ...moved],
    content: found.profile.reasoningText === true && Array.isArray(content) ? content : undefined,
    encrypted_content: seal === null || typeof seal === 'string' ? seal : undefined,
  };
  const gone = sealed ? spoken.reduce((total, { text }) => total + text.length, 0) : 0;
  const edited = { ...part, wire: withKeys(wireOf(part), changes), characters: part.characters - gone };
  return {
    edits: [replacePart(placeOf(found), edited)],
    action: 'rewrite',
    loss: gone > 0 ? 'lossy' : 'none',
    note: gone > 0 ? 'removed text beside sealed reasoning' : 'put reasoning into the form of the provider',
  };
}

/** Texts in the form of a summary. */
function asSummary(content: unknown): { type: 'summary_text'; text: string }[] {
  const pieces: unknown[] = Array.isArray(content) ? content : [content];
  return pieces.flatMap((piece) => {
    const text = isRecord(piece) ? piece['text'] : piece;
    return typeof text === 'string' ? [{ type: 'summary_text' as const, text }] : [];
  });
}
