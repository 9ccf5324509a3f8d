import type { Proposal } from '../model/edit.ts';
import type { Message, Part, Role } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { partOf, wireOf } from './remedies/place.ts';
import { CALL_TURN, RESPONSE_TURN, SYSTEM_ROLE } from './refusals/provider-words.ts';

/** A provider refuses a part in a message of the other side. */
export const partInWrongRole: Rule = {
  id: 'part-in-wrong-role',
  title: 'a part stands in a message of the wrong role',
  layer: 'structure',
  severity: 'rejected',
  loss: 'none',
  evidence: {
    gemini: ['ge-fc-after', 'ge-fr-after', 'ge-role'],
    'anthropic-messages': ['an-block-role'],
    'pydantic-ai': ['py-repair'],
    'bedrock-converse': ['br-passthrough', 'br-server-tools'],
    'ai-sdk-model': ['ai-schema', 'ai-missing-results'],
  },
  trigger: 'part-in-wrong-role',
  summary:
    'Tools that show a call and its result as one entry often store them so: both in one assistant message. ' +
    'The message is divided, in the same order, so that calls and reasoning are the assistant’s and results ' +
    'the user’s.',
  explain: (found) => `a ${partOf(found).kind} part belongs in a message of the ${String(found.fact.detail)}`,
  providerError: {
    gemini: (found) => TURNS[partOf(found).kind] ?? SYSTEM_ROLE,
    'anthropic-messages': (found) => {
      const { message, detail } = found.fact;
      const type = String(wireOf(partOf(found))['type']);
      return `messages.${String(message)}: \`${type}\` blocks can only be in \`${String(detail)}\` messages`;
    },
  },
  repair,
};

/** What the provider says of a call or a result in the mouth of the other side. */
const TURNS: Readonly<Partial<Record<Part['kind'], string>>> = { call: CALL_TURN, result: RESPONSE_TURN };

function repair(found: Case): Proposal {
  const { message } = found.fact;
  const source = found.message(message);
  // Every part in the wrong place asks for it, and there may be many.
  const divided = found.note('divided', () => new Map<Message, readonly Message[]>());
  const messages = divided.get(source) ?? divide(source, found.profile.carrier === 'tool' ? 'tool' : 'user');
  divided.set(source, messages);
  return {
    edits: [{ kind: 'message', message, messages }],
    action: 'relocate',
    loss: 'none',
    note: 'divided the message by who its parts belong to; their order is kept',
  };
}

/** Consecutive messages, one for each run of parts that belong to one role. */
function divide(source: Message, carrier: Role): Message[] {
  const messages: { role: Role; parts: Part[]; at: number; wire?: unknown }[] = [];
  let carried = false;
  for (const part of source.parts) {
    const role = roleFor(part, source.role, carrier);
    const last = messages.at(-1);
    if (last?.role === role) {
      last.parts.push(part);
      continue;
    }
    // Keys beside the parts belong to one message only, and to its own role.
    const owns: boolean = role === source.role && !carried;
    carried ||= owns;
    messages.push({ role, parts: [part], at: source.at, ...(owns ? { wire: source.wire } : {}) });
  }
  if (carried) return messages;
  // What is held beside parts that all go elsewhere may have to stay.
  const rest: Message = { role: source.role, parts: [], at: source.at, wire: source.wire };
  return source.role === 'assistant' ? [...messages, rest] : [rest, ...messages];
}

function roleFor(part: Part, own: Role, carrier: Role): Role {
  if (part.kind === 'call' || part.kind === 'reasoning') return 'assistant';
  if (part.kind === 'result') return part.server ? 'assistant' : carrier;
  if (own === 'tool') return part.kind === 'opaque' ? own : 'user';
  return part.kind === 'media' && own === 'system' ? 'user' : own;
}
