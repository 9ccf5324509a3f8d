import type { Lose } from '../model/loss.ts';
import type { Message, Part, TextPart } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';

/** A message that is still being put together. */
type Growing = Message & { readonly parts: Part[]; readonly calls: boolean; readonly thoughts: boolean };

/** Puts together what is one step in the target: an answer with all its calls, and all that came of them. */
export function group(messages: readonly Message[], profile: Profile): readonly Message[] {
  const grouped: Growing[] = [];
  for (const message of messages) {
    if (message.parts.length === 0) continue;
    const next = {
      ...message,
      parts: [...message.parts],
      calls: hasCalls(message),
      thoughts: message.parts.every(isThought),
    };
    const last = grouped.at(-1);
    if (last === undefined || !belongs(last, next, profile)) {
      grouped.push(next);
      continue;
    }
    for (const part of next.parts) last.parts.push(part);
    grouped[grouped.length - 1] = {
      ...last,
      calls: last.calls || next.calls,
      thoughts: last.thoughts && next.thoughts,
    };
  }
  return grouped.map(({ calls: _calls, thoughts: _thoughts, ...message }) => message);
}

function belongs(last: Growing, next: Growing, profile: Profile): boolean {
  if (last.name !== next.name || last.developer !== next.developer) return false;
  const { carrier, alternation, oneSystem } = profile;
  if (last.role === 'system' && next.role === 'system') return oneSystem === true;
  if (last.role === 'assistant' && next.role === 'assistant') {
    if (last.calls && next.opens === true) return false;
    return last.calls || next.calls || last.thoughts;
  }
  if (last.role !== 'tool') return false;
  return next.role === 'tool' || (next.role === 'user' && carrier === 'user' && alternation);
}

function hasCalls({ parts }: Message): boolean {
  return parts.some((part) => part.kind === 'call' && !part.server);
}

function isThought({ kind }: Part): boolean {
  return kind === 'reasoning';
}

/** Of instructions that are told anew with every request, the last ones count; they go before everything else. */
export function settleStanding(messages: readonly Message[], lose: Lose): readonly Message[] {
  const standing = messages.flatMap(({ parts }) => parts.filter(isStanding));
  const last = standing.at(-1);
  if (last === undefined) return messages;
  for (const part of standing) {
    if (part === last) continue;
    const same = part.text === last.text;
    const why = same ? 'it is told once for the whole request' : 'later instructions have taken its place';
    const what = part.text.slice(0, 60).toWellFormed();
    lose(part, { kind: 'system', what, why });
  }
  const rest = messages.map((message) => ({ ...message, parts: message.parts.filter((part) => !isStanding(part)) }));
  const kept = rest.filter(({ parts }, i) => parts.length > 0 || messages[i]?.parts.length === 0);
  const { at, path } = last;
  const told: Message = { role: 'system', parts: [last], at: at?.message ?? -1, ...(path !== undefined && { path }) };
  const first = kept.findIndex(({ role }) => role !== 'system');
  const before = first === -1 ? kept.length : first;
  return [...kept.slice(0, before), told, ...kept.slice(before)];
}

function isStanding(part: Part): part is TextPart {
  return part.kind === 'text' && part.standing === true;
}
