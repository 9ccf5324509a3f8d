import type { Message, Part } from '@rethread/core';

import { idOf, pathOf, timeOf, type Found } from './library.ts';

export type Described = { readonly [name: string]: unknown };

/** A session in a list. */
export function describeSession(found: Found): Described {
  const { title } = found.source === 'store' ? found.info : found.ref;
  const path = pathOf(found);
  return {
    id: idOf(found),
    source: found.source === 'store' ? 'store' : found.ref.tool,
    ...(title !== undefined && { title: cut(title, 200) }),
    ...(found.source === 'tool' && found.ref.cwd !== undefined && { cwd: found.ref.cwd }),
    ...(path !== undefined && { path }),
    modified: new Date(timeOf(found)).toISOString(),
  };
}

/** A message as a model should read it: who spoke, and what was said, called and answered. */
export function describeMessage({ role, parts }: Message, index: number, longest: number): Described {
  return { index, role, parts: parts.map((part) => describePart(part, longest)) };
}

function describePart(part: Part, longest: number): Described {
  switch (part.kind) {
    case 'text':
    case 'reasoning':
      return { kind: part.kind, text: cut(part.text, longest) };
    case 'call':
      return {
        kind: 'call',
        callId: part.callId,
        tool: part.tool,
        input: cut(JSON.stringify(part.input) ?? '', longest),
      };
    case 'result':
      return { kind: 'result', callId: part.callId, outcome: part.outcome, text: cut(part.text, longest) };
    default:
      return { kind: part.kind };
  }
}

/** All that can be read in a message. */
export function wordsIn({ parts }: Message): string {
  return parts
    .map((part) => {
      if (part.kind === 'text' || part.kind === 'reasoning' || part.kind === 'result') return part.text;
      return part.kind === 'call' ? `${part.tool} ${JSON.stringify(part.input)}` : '';
    })
    .join('\n');
}

export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)} [${text.length - longest} more characters]`;
}
