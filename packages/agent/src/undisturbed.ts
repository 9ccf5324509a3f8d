/** Calls foreign code that must not hurt a run. Whatever it throws, now or later, is logged and goes no further. */
export function undisturbed(call: () => unknown, tell: (error: string) => void): void {
  const fail = (error: unknown): void => tell(nameOf(error));
  try {
    const given = call();
    if (given instanceof Promise) given.catch(fail);
  } catch (error) {
    fail(error);
  }
}

/** The text of an error, whatever its message is. */
export function wordsOf(error: { readonly message: unknown }): string {
  try {
    return String(error.message);
  } catch {
    return nameOf(error);
  }
}

/** An error may be unprintable. */
export function nameOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'something that cannot be told';
  }
}
