import type { Message, Role } from './part.ts';

/** The one rule for where a turn may begin: at a message of the user that carries nothing of a pair. */
export function mayBegin(role: Role, carries: boolean): boolean {
  return role === 'user' && !carries;
}

/** The same of a message that has been read. */
export function beginsTurn({ role, parts }: Message): boolean {
  return mayBegin(
    role,
    parts.some(({ kind }) => kind === 'result'),
  );
}
