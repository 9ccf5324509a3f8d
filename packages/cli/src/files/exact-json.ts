interface Context {
  /** The text that a number, a string, a boolean or null was read from. */
  readonly source?: string;
}

/** Looks at each value with the key it stands under, and gives what is to stand there; `this` is what holds it. */
type Reviver = (this: unknown, ...at: [key: string, value: unknown, context: Context]) => unknown;

declare global {
  // Node has both since version 21; the types of the language have neither yet.
  interface JSON {
    parse(text: string, reviver: Reviver): unknown;
    rawJSON(text: string): object;
  }
}

/** Finds every number that might not survive; inside a string it finds too much, which costs nothing but time. */
const suspicious = /(?<=^|[[:,\s])-?(?=[\d.]{16}|[\d.]+[eE][+-]?\d{3})\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?=[\],}\s]|$)/g;

/** Without the zeros at its end; a pattern would take the square of its length for one of many zeros and a one. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** The digits of a number without zeros at either end, and the power of ten that the last of them stands for. */
function decimalOf(source: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const bare = withoutZeros(digits);
  return bare === '' ? '0' : `${sign}${bare}e${Number(power) - fraction.length + digits.length - bare.length}`;
}

const isExact = (source: string, value: number): boolean => {
  const written = String(value);
  return written === source || (Number.isFinite(value) && decimalOf(written) === decimalOf(source));
};

function holdsInexact(text: string): boolean {
  for (const [source] of text.matchAll(suspicious)) if (!isExact(source, Number(source))) return true;
  return false;
}

const argumentKeys = new Set(['input', 'args', 'arguments']);

const has = (holder: unknown, keys: readonly string[]): boolean =>
  keys.some((key) => Object.hasOwn(holder as object, key));

/** A call whose arguments are a number is broken, and must look so; and a number for an id must look like one. */
const staysNumber = (holder: unknown, key: string): boolean =>
  argumentKeys.has(key)
    ? has(holder, ['name', 'toolName', 'tool_name'])
    : key === 'id' && has(holder, ['name']) && has(holder, ['args', 'response']);

/**
 * Reads JSON. A number with more digits than the language keeps becomes a raw value, which is written as it stood; any
 * other value is what it always is. Throws where the text is no JSON.
 */
export function parseExactly(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  if (!holdsInexact(text)) return plain;
  try {
    return JSON.parse(text, function keep(key, value, { source }) {
      if (typeof value !== 'number' || source === undefined || isExact(source, value)) return value;
      return staysNumber(this, key) ? value : JSON.rawJSON(source);
    });
  } catch {
    // It is nested too deeply to be walked, and so too deeply to be sent.
    return plain;
  }
}
