import type { Case, Rule } from '../model/rule.ts';
import { withKeys } from '../model/value.ts';
import { wireOf } from './remedies/place.ts';

/** A request whose history holds calls or results must declare tools. */
export const toolsUndeclared: Rule = {
  id: 'tools-undeclared',
  title: 'the history has calls but the request declares no tools',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: { 'anthropic-messages': ['an-tools-defined'], 'bedrock-converse': ['br-toolconfig'] },
  trigger: 'tools-undeclared',
  summary:
    'The history is sent for a summary, or the tools were switched off. The tools that the history names ' +
    'are declared without detail, and the model is told to call none of them.',
  applies: (profile) => profile.toolsDeclared,
  explain: () => 'the history contains calls or results, and the request declares no tools',
  providerError: {
    'bedrock-converse': () => 'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
    'anthropic-messages': () => 'Requests which include `tool_use` or `tool_result` blocks must define tools.',
  },
  repair: (found) => {
    const names = toolNames(found);
    const converse = isConverse(found);
    const told = converse ? '; this API cannot tell the model to call none' : ', and told the model to call none';
    return {
      edits: [{ kind: 'body', fields: converse ? declareConverse(found, names) : declare(names) }],
      action: 'restore',
      loss: 'synthetic',
      note: `declared ${String(names.length)} tools that the history names${told}`,
    };
  },
};

function declare(names: readonly string[]): Record<string, unknown> {
  const tools = names.map((name) => ({ name, input_schema: { type: 'object' } }));
  return { tools, tool_choice: { type: 'none' } };
}

function declareConverse({ body }: Case, names: readonly string[]): Record<string, unknown> {
  const tools = names.map((name) => ({ toolSpec: { name, inputSchema: { json: { type: 'object' } } } }));
  return { toolConfig: withKeys(body?.['toolConfig'], { tools }) };
}

/** The blocks of this API have one key that says what they are. */
function isConverse(found: Case): boolean {
  for (let i = 0; i < found.count; i += 1) {
    if (found.message(i).parts.some((part) => 'toolUse' in wireOf(part))) return true;
  }
  return false;
}

function toolNames(found: Case): string[] {
  const names = new Set<string>();
  for (let i = 0; i < found.count; i += 1) {
    for (const part of found.message(i).parts) {
      if (part.kind === 'call' && !part.server) names.add(declarable(part.tool));
    }
  }
  return [...names];
}

function declarable(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128);
}
