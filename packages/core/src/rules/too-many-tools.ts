import type { Case, Rule } from '../model/rule.ts';
import { wireOf } from './remedies/place.ts';

/** A provider refuses a request that declares more tools than it allows. */
export const tooManyTools: Rule = {
  id: 'too-many-tools',
  title: 'the request declares too many tools',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'openai-chat': ['oc-name'] },
  trigger: 'too-many-tools',
  summary:
    'Several tool servers are connected, and together they declare more tools than one request may. The first ' +
    'ones are kept, ' +
    'as many as are allowed, and the one that `tool_choice` names. Better: connect fewer servers, or choose the ' +
    'tools per request.',
  explain: (found) =>
    `${String(toolsOf(found).length)} tools are declared; ${String(found.profile.maxTools)} are allowed`,
  providerError: {
    'openai-chat': (found) =>
      `Invalid 'tools': array too long. Expected an array with maximum length ${String(found.profile.maxTools)}, ` +
      `but got an array with length ${String(toolsOf(found).length)} instead.`,
  },
  repair: (found) => {
    const tools = toolsOf(found);
    const kept = keep(tools, chosenName(found), found.profile.maxTools);
    return {
      edits: [{ kind: 'body', fields: { tools: kept } }],
      action: 'drop',
      loss: 'lossy',
      note: `kept ${String(kept.length)} of ${String(tools.length)} declared tools`,
    };
  },
};

/** Only a list can be too long, so there is one. */
function toolsOf(found: Case): readonly unknown[] {
  return found.body?.['tools'] as readonly unknown[];
}

function keep(tools: readonly unknown[], chosen: unknown, maximum: number): readonly unknown[] {
  const first = tools.slice(0, maximum);
  const must = chosen === undefined ? undefined : tools.slice(maximum).find((tool) => nameOf(tool) === chosen);
  return must === undefined ? first : [...first.slice(0, -1), must];
}

function chosenName(found: Case): unknown {
  return nameOf(found.body?.['tool_choice']);
}

function nameOf(tool: unknown): unknown {
  const fields = wireOf({ wire: tool });
  return wireOf({ wire: fields['function'] ?? fields['custom'] })['name'];
}
