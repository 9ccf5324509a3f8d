import { dropPart, replacePart, type Proposal } from '../../model/edit.ts';
import type { Case, Rule } from '../../model/rule.ts';
import { isRecord, withKeys } from '../../model/value.ts';
import { resultOf } from '../batch.ts';

/** A reference to a tool must name one that the request declares. */
export const toolReferenceUndeclared: Rule = {
  id: 'tool-reference-undeclared',
  title: 'the history refers to a tool that the request does not declare',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'anthropic-messages': ['an-toolref'] },
  trigger: 'tool-reference-undeclared',
  summary: 'A server of tools is gone, and its tools with it. The reference is dropped; the text around it stays.',
  explain: (found) => `tool ${nameOf(found)} is referred to and not declared`,
  repair: (found) => {
    const { message, part = 0, detail } = found.fact;
    const note = `removed a reference to tool ${nameOf(found)}, which is not declared`;
    if (typeof detail !== 'object') {
      return { edits: [dropPart({ message, part })], action: 'drop', loss: 'lossy', note };
    }
    return inside(found, note);
  },
  examples: () => [
    {
      name: 'the tool server is gone',
      dialect: 'anthropic-messages',
      before: {
        tools: [{ name: 'search_tools', input_schema: { type: 'object' } }],
        messages: [
          { role: 'user', content: 'find a tool' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_tools', input: {} }] },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'tool_reference', tool_name: 'gone' }] },
            ],
          },
        ],
      },
      after: {
        tools: [{ name: 'search_tools', input_schema: { type: 'object' } }],
        messages: [
          { role: 'user', content: 'find a tool' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_tools', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
        ],
      },
    },
  ],
};

function nameOf(found: Case): string {
  const { detail } = found.fact;
  return typeof detail === 'object' ? String(detail[0]) : String(detail);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Removes the pieces of a result that name this tool. */
function inside(found: Case, note: string): Proposal {
  const { message, part = 0 } = found.fact;
  const result = resultOf(found, found.fact);
  const wire = isRecord(result.wire) ? result.wire : {};
  const others = (list: unknown): unknown[] =>
    (Array.isArray(list) ? (list as unknown[]) : []).filter(
      (each) => !isRecord(each) || each['tool_name'] !== nameOf(found),
    );
  const { content } = wire;
  const kept = isRecord(content)
    ? withKeys(content, { tool_references: others(content['tool_references']) })
    : others(content);
  const changed = { ...result, wire: withKeys(wire, { content: isEmpty(kept) ? undefined : kept }) };
  return { edits: [replacePart({ message, part }, changed)], action: 'drop', loss: 'lossy', note };
}
