const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bytes in base64. */
export function bytesToBase64(bytes: Uint8Array): string {
  const out: string[] = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b, c] = [bytes[i], bytes[i + 1], bytes[i + 2]];
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    out.push(letter(bits >> 18), letter(bits >> 12), b === undefined ? '=' : letter(bits >> 6));
    out.push(c === undefined ? '=' : letter(bits));
  }
  return out.join('');
}

function letter(bits: number): string {
  return ALPHABET.charAt(bits & 63);
}

/** A text in base64, as UTF-8. */
export function textToBase64(text: string): string {
  const bytes: number[] = [];
  for (const character of text.toWellFormed()) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), tail(code));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), tail(code >> 6), tail(code));
    else bytes.push(0xf0 | (code >> 18), tail(code >> 12), tail(code >> 6), tail(code));
  }
  return bytesToBase64(Uint8Array.from(bytes));
}

function tail(bits: number): number {
  return 0x80 | (bits & 63);
}

/** The text that base64 stands for; undefined where it is none, or not UTF-8. */
export function base64ToText(data: string): string | undefined {
  const letters = data.replaceAll(/[\s=]/g, '').replaceAll('-', '+').replaceAll('_', '/');
  let escaped = '';
  let bits = 0;
  let count = 0;
  for (const each of letters) {
    const value = ALPHABET.indexOf(each);
    if (value === -1) return undefined;
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    escaped += `%${((bits >> count) & 0xff).toString(16).padStart(2, '0')}`;
  }
  try {
    return decodeURIComponent(escaped);
  } catch {
    return undefined;
  }
}
