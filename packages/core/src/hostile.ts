/** True for a value that throws when somebody looks at all of it, or that has no end. */
export function isHostile(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return false;
  } catch {
    return true;
  }
}
