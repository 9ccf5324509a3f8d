import { textPart, type Message, type Part } from '../model/part.ts';
import type { Rule } from '../model/rule.ts';
import { readableJson } from '../model/value.ts';
import { LATER_SYSTEM } from './refusals/provider-words.ts';

/** The templates of some local models have one place for the system. */
export const systemNotAlone: Rule = {
  id: 'system-not-alone',
  title: 'there is more than one system message at the start',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'openai-chat': ['tpl-system'], langchain: ['an-system-first'] },
  trigger: 'system-first',
  summary:
    'Instructions of the program and of the user were sent as two messages. The template, or the converter of a ' +
    'framework, takes one at the very beginning, so they are joined, in the same order.',
  applies: (profile) => profile.oneSystem === true,
  detect: (found) => found.fact.message === 1,
  explain: () => 'a second system message follows the first',
  providerError: LATER_SYSTEM,
  repair: (found) => {
    const first = found.message(0);
    let next = 1;
    const parts: Part[] = [...first.parts];
    for (; next < found.count && found.message(next).role === 'system'; next += 1)
      for (const part of found.message(next).parts) parts.push(part);
    const all: Message = { ...first, parts: [joined(parts)] };
    const gone = Array.from({ length: next - 1 }, (_, i) => ({
      kind: 'message' as const,
      message: i + 1,
      messages: [],
    }));
    return {
      edits: [{ kind: 'message', message: 0, messages: [all] }, ...gone],
      action: 'merge',
      loss: 'none',
      note: `joined ${String(next)} system messages to one`,
    };
  },
};

function joined(parts: readonly Part[]): Part {
  const text = parts.map((part) => ('text' in part ? part.text : readableJson(part.wire))).join('\n\n');
  return textPart(
    text,
    parts.reduce((sum, part) => sum + part.characters, 0),
  );
}
