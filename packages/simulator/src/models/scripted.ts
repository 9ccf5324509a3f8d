import type { Model, ModelRequest } from './model.ts';
import { faultIn, isFailure, reply, type Failure, type Reply } from './reply.ts';

/** A line of a script: words, a reply, or what makes one from the request. */
export type Line = string | Reply | Failure | ((request: ModelRequest) => Reply | Failure);

/** Says its lines in order, one for each accepted request. */
export class Script {
  readonly #lines: Line[] = [];
  #said = 0;

  add(lines: readonly Line[]): void {
    for (const [index, line] of lines.entries()) {
      const wrong = typeof line === 'object' && !isFailure(line) ? faultIn(line) : undefined;
      if (wrong !== undefined) throw new TypeError(`line ${index + 1} of the script cannot be said: ${wrong}`);
    }
    this.#lines.push(...lines);
  }

  get isUnused(): boolean {
    return this.#lines.length === 0;
  }

  get isOver(): boolean {
    return this.#said >= this.#lines.length;
  }

  next(request: ModelRequest): Reply | Failure {
    const line = this.#lines[this.#said];
    if (line === undefined) {
      const count = this.#lines.length;
      return {
        // A client repeats what failed with a 5xx, and a script that has run out stays so.
        status: 422,
        failure: `the script has run out: it holds ${count} ${count === 1 ? 'reply' : 'replies'}, and one more was asked for`,
      };
    }
    this.#said++;
    if (typeof line === 'string') return reply(line);
    return typeof line === 'function' ? line(request) : line;
  }
}

/** A model that says these lines in order and then fails, or repeats the last line. */
export function scripted(lines: readonly Line[], options: { atEnd?: 'fail' | 'repeat' } = {}): Model {
  const script = new Script();
  script.add(lines);
  return (request) => {
    const last = lines.at(-1);
    if (options.atEnd === 'repeat' && script.isOver && last !== undefined) script.add([last]);
    return script.next(request);
  };
}
