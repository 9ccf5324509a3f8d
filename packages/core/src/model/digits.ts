/** A text, or a number as JSON writes it. */
const TOKENS = /"(?:[^"\\]+|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** How many digits of a fraction a number keeps. */
const KEPT = 17;

/** True when every number in a text of JSON is still the same once it is read. */
export function keepsDigits(json: string): boolean {
  for (const [token] of json.matchAll(TOKENS)) {
    if (!token.startsWith('"') && !isKept(token)) return false;
  }
  return true;
}

function isKept(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  if (/^-?\d+$/.test(token)) return BigInt(token) === BigInt(value);
  return (
    token
      .replace(/[eE].*$/, '')
      .replaceAll(/\D/g, '')
      .replace(/^0+/, '').length <= KEPT
  );
}
