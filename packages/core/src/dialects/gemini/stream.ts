import { halfOf, isWire, listOf, wholeOf, type Accumulator, type Piece, type Wire } from '../accumulator.ts';

/** Puts the chunks of a Gemini stream together; of several candidates the first counts. */
export class Gemini implements Accumulator {
  #parts: Wire[] = [];
  #complete = false;

  get complete(): boolean {
    return this.#complete;
  }

  push(chunk: unknown): void {
    const [candidate] = isWire(chunk) ? listOf(chunk['candidates']) : [];
    if (!isWire(candidate)) return;
    const { content, finishReason } = candidate;
    if (isWire(content)) for (const part of listOf(content['parts'])) if (isWire(part)) this.#add(part);
    if (typeof finishReason === 'string') this.#complete = true;
  }

  message(): Wire | undefined {
    const parts = wholeOf(this.#pieces());
    return parts.length === 0 ? undefined : { role: 'model', parts };
  }

  /** Arguments that came in pieces have no place in a message, so a half call is in neither. */
  partial(): Wire | undefined {
    return this.message();
  }

  unfinished(): readonly Wire[] {
    return halfOf(this.#pieces());
  }

  /** Pieces of one text become one part. What is signed stays as it came, even when it is empty. */
  #add(part: Wire): void {
    const last = this.#parts.at(-1);
    if (last !== undefined && isPlainText(last) && isPlainText(part) && last['thought'] === part['thought']) {
      this.#parts = [...this.#parts.slice(0, -1), { ...last, text: `${String(last['text'])}${String(part['text'])}` }];
    } else if (!(isPlainText(part) && part['text'] === '')) {
      this.#parts = [...this.#parts, { ...part }];
    }
  }

  #pieces(): Piece[] {
    return this.#parts.map((wire) => ({ wire, whole: !isContinued(wire['functionCall']) }));
  }
}

function isPlainText(part: Wire): boolean {
  return typeof part['text'] === 'string' && Object.keys(part).every((key) => key === 'text' || key === 'thought');
}

/** Calls come whole unless the request asks for their arguments in pieces. */
function isContinued(call: unknown): boolean {
  return isWire(call) && (call['willContinue'] === true || call['partialArgs'] !== undefined);
}
