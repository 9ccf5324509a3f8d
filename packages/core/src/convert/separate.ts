import type { Message, Part } from '../model/part.ts';

type Run = Message & { readonly parts: Part[] };

/** A message as messages that any dialect has a place for: assistants call, and nobody answers in the same breath. */
export function separate(message: Message): readonly Message[] {
  const { role, parts, at, path = '' } = message;
  if (parts.every((part) => speakerOf(part, role) === role)) return [message];
  const runs: Run[] = [];
  for (const part of parts) {
    const speaker = speakerOf(part, role);
    const last = runs.at(-1);
    if (last?.role === speaker) last.parts.push(part);
    else runs.push(speaker === role ? { ...message, parts: [part] } : { role: speaker, parts: [part], at, path });
  }
  return runs;
}

/** What the provider ran itself is answered where it was called. */
function speakerOf(part: Part, role: Message['role']): Message['role'] {
  if (part.kind === 'call') return 'assistant';
  const misplaced = part.kind === 'result' && !part.server && (role === 'assistant' || role === 'system');
  return misplaced ? 'tool' : role;
}
