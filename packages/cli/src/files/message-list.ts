/** Where the requests of providers keep their list. */
export const listKeys = ['messages', 'contents', 'input'] as const;

/** The messages of a list, or of a request; nothing for a value of some other kind. */
export function messagesOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const body: Partial<Record<(typeof listKeys)[number], unknown>> = value;
  const key = listKeys.find((name) => body[name] !== undefined);
  if (key === undefined) return undefined;
  const list = body[key];
  if (Array.isArray(list)) return list;
  // Some providers take one text or one message in place of a list of one.
  return key === 'messages' ? undefined : [list];
}

/** Is it a list, or a request with one? */
export function holdsList(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const body: Partial<Record<(typeof listKeys)[number], unknown>> = value;
  return Array.isArray(value) || listKeys.some((key) => Array.isArray(body[key]));
}
