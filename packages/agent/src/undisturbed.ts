/**
 * Calls what somebody else has written and a run must not suffer from: whatever it throws, at once or as a promise that
 * nobody waits for, is told and goes no further.
 */
export function undisturbed(call: () => unknown, tell: (error: string) => void): void {
  const fail = (error: unknown): void => tell(nameOf(error));
  try {
    const given = call();
    if (given instanceof Promise) given.catch(fail);
  } catch (error) {
    fail(error);
  }
}

/** What an error says, whatever somebody has put in the place of its message. */
export function wordsOf(error: { readonly message: unknown }): string {
  try {
    return String(error.message);
  } catch {
    return nameOf(error);
  }
}

/** Even an error may be something that cannot be told. */
export function nameOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'something that cannot be told';
  }
}
