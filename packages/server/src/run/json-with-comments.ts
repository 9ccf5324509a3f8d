/** Reads JSON that people write by hand, with comments and trailing commas; undefined if it is no object. */
export function readObject(text: string | undefined): { readonly [name: string]: unknown } | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(withoutComments(text));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as { [name: string]: unknown }) : undefined;
  } catch {
    return undefined;
  }
}

/** A member of an object, if it is an object too. */
export function objectAt(value: unknown, name: string): { readonly [name: string]: unknown } {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  const member: unknown = isObject ? (value as { [name: string]: unknown })[name] : undefined;
  return typeof member === 'object' && member !== null ? (member as { [name: string]: unknown }) : {};
}

const STRING_OR_COMMENT = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g;
const STRING_OR_COMMA = /("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g;

function withoutComments(text: string): string {
  const keepStrings = (_: string, quoted: string | undefined): string => quoted ?? '';
  return text.replace(STRING_OR_COMMENT, keepStrings).replace(STRING_OR_COMMA, keepStrings);
}
