import type { Case, Rule } from '../../model/rule.ts';

/** A request whose history holds calls or results must declare tools. */
export const toolsUndeclared: Rule = {
  id: 'tools-undeclared',
  title: 'the history has calls but the request declares no tools',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: { 'anthropic-messages': ['an-tools-defined'] },
  trigger: 'tools-undeclared',
  summary:
    'The history is sent for a summary, or the tools were switched off. The tools that the history names ' +
    'are declared without detail, and the model is told to call none of them.',
  applies: (profile) => profile.toolsDeclared,
  explain: () => 'the history contains calls or results, and the request declares no tools',
  providerError: {
    'anthropic-messages': () => 'Requests which include `tool_use` or `tool_result` blocks must define tools.',
  },
  repair: (found) => {
    const tools = toolNames(found).map((name) => ({ name, input_schema: { type: 'object' } }));
    return {
      edits: [{ kind: 'body', fields: { tools, tool_choice: { type: 'none' } } }],
      action: 'restore',
      loss: 'synthetic',
      note: `declared ${String(tools.length)} tools that the history names, and told the model to call none`,
    };
  },
  examples: () => [
    {
      name: 'a history sent to be summarised',
      dialect: 'anthropic-messages',
      before: {
        messages: [
          { role: 'user', content: 'list the files' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' },
              { type: 'text', text: 'Summarise.' },
            ],
          },
        ],
      },
      after: {
        messages: [
          { role: 'user', content: 'list the files' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' },
              { type: 'text', text: 'Summarise.' },
            ],
          },
        ],
        tools: [{ name: 'ls', input_schema: { type: 'object' } }],
        tool_choice: { type: 'none' },
      },
    },
  ],
};

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
