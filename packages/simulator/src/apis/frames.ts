/** The pieces of a streamed reply, as they are written; a fault may lose, double or swap them. */
export class Frames {
  readonly texts: string[] = [];
  /** Index of the frame that holds the end of the first call's input, or -1. */
  callAt = -1;

  /** An event with a name, as Anthropic and the Responses API send it. */
  event(name: string, data: object): void {
    this.texts.push(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  data(data: object | string): void {
    this.texts.push(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }

  /** Says that the newest frame ended a call's input. */
  markCall(): void {
    if (this.callAt < 0) this.callAt = this.texts.length - 1;
  }
}

const SMALLEST = 16;
const MOST = 64;

/** A text in pieces as a model gives it out; no piece ends inside a character. */
export function pieces(text: string): string[] {
  const size = Math.max(SMALLEST, Math.ceil(text.length / MOST));
  const found: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + size, text.length);
    const last = text.charCodeAt(end - 1);
    if (last >= 0xd800 && last <= 0xdbff && end < text.length) end++;
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}

/** At least two pieces where there are two characters, so that a stream can break inside a call's input. */
export function inputPieces(text: string): string[] {
  const found = pieces(text);
  if (found.length !== 1 || text.length < 2) return found;
  const middle = text.length >> 1;
  const high = text.charCodeAt(middle - 1);
  const cut = high >= 0xd800 && high <= 0xdbff ? middle + 1 : middle;
  return [text.slice(0, cut), text.slice(cut)].filter((piece) => piece !== '');
}
