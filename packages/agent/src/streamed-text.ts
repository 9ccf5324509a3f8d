import type { NewRecord } from '@rethread/store';

import type { Piece } from './events.ts';
import { noteRecord } from './log-records.ts';
import type { RunScope } from './run-scope.ts';

const continues = (last: Piece | undefined, next: Piece): boolean =>
  last?.kind === next.kind && (next.kind !== 'call' || (last.kind === 'call' && last.callId === next.callId));

/** Joins adjacent pieces. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const list: Piece[] = [];
  for (const piece of pieces) {
    const last = list.at(-1);
    if (last === undefined || !continues(last, piece)) list.push(piece);
    else if (piece.kind === 'call') list[list.length - 1] = { ...piece, fragment: fragmentOf(last) + piece.fragment };
    else list[list.length - 1] = { ...piece, text: textOf(last) + piece.text };
  }
  return list;
}

const textOf = (piece: Piece): string => (piece.kind === 'call' ? '' : piece.text);
const fragmentOf = (piece: Piece): string => (piece.kind === 'call' ? piece.fragment : '');

/** The shown text, in words for the model, if nothing better remains of an answer. */
export function asText(pieces: readonly Piece[]): string {
  return joined(pieces)
    .map((piece) => {
      if (piece.kind === 'call') return `[interrupted call of ${piece.tool}: ${piece.fragment}]`;
      return piece.kind === 'text' ? piece.text : `[interrupted reasoning]\n${piece.text}`;
    })
    .join('\n\n');
}

/** Records the pieces of an answer in portions before they are shown. */
export class Shown {
  readonly #run: RunScope;
  readonly #everyMs: number;
  /** Everything that arrived, shown or not. */
  readonly pieces: Piece[] = [];
  readonly #waiting: Piece[] = [];
  #since = -Infinity;
  #cancel: (() => void) | undefined;
  #flight: Promise<void> = Promise.resolve();

  constructor(run: RunScope) {
    this.#run = run;
    this.#everyMs = run.settings.showEveryMs;
  }

  async add(piece: Piece): Promise<void> {
    this.pieces.push(piece);
    if (this.#everyMs === Infinity) {
      this.#run.emit(piece);
      return;
    }
    this.#waiting.push(piece);
    const { clock } = this.#run.settings;
    const rest = this.#since + this.#everyMs - clock.now();
    if (rest <= 0) await this.#flush();
    else this.#cancel ??= clock.after(rest, () => void this.#flush().catch(() => undefined));
  }

  /** Ends the recording and returns what was not shown yet; it is shown after the whole answer is recorded. */
  async end(): Promise<readonly Piece[]> {
    this.#cancel?.();
    this.#cancel = undefined;
    await this.#flight;
    return this.#waiting.splice(0);
  }

  #flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#since = this.#run.settings.clock.now();
    const pieces = this.#waiting.splice(0);
    if (pieces.length === 0) return this.#flight;
    const note = noteRecord({ about: 'shown', ...this.#run.place, pieces: joined(pieces) });
    // After a failed write, nothing is shown behind the gap.
    this.#flight = this.#flight.then(() => this.#record(note, pieces));
    return this.#flight;
  }

  async #record(note: NewRecord, pieces: readonly Piece[]): Promise<void> {
    await this.#run.log.append(note);
    for (const piece of pieces) this.#run.emit(piece);
  }
}
