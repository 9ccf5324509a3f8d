import type { RequestBody } from '@rethread/adapters/request';

import { listIn } from './refusal-memory.ts';

/** Where the APIs take instructions beside the messages. */
const FIELDS = ['system', 'instructions', 'systemInstruction', 'system_instruction'] as const;

/** Whether the instructions of a request are still what the client wrote. */
export function keepsSystem(before: RequestBody, after: RequestBody): boolean {
  return FIELDS.every((name) => isSame(before[name], after[name])) && isSame(systemIn(before), systemIn(after));
}

function systemIn(body: RequestBody): readonly unknown[] {
  return (listIn(body) ?? []).filter((message) => {
    const role: unknown =
      typeof message === 'object' && message !== null && 'role' in message ? message.role : undefined;
    return role === 'system' || role === 'developer';
  });
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
