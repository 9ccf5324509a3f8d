import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { AskName, Asks, Question, Reply } from '../reader/asks.ts';

type Waiting = {
  readonly done: (value: unknown) => void;
  readonly failed: (error: Error) => void;
  readonly progress: (value: unknown) => void;
};

/** A process that reads sessions. A file that brings it down does no harm to the server, and it starts again. */
export type Reader = {
  ask<Name extends AskName>(
    name: Name,
    input: Asks[Name]['input'],
    progress?: (value: Asks[Name]['progress']) => void,
  ): Promise<Asks[Name]['output']>;
  close(): void;
};

/** Makes a reader; its process starts with the first question. `ended` is called when the process is gone. */
export function createReader(entry: URL, ended: () => void = () => undefined): Reader {
  const waiting = new Map<number, Waiting>();
  let child: ChildProcess | undefined;
  let next = 1;

  const gone = (made: ChildProcess): void => {
    if (child !== made) return;
    child = undefined;
    made.kill();
    ended();
    for (const [id, { failed }] of waiting) {
      waiting.delete(id);
      failed(new Error('The reader stopped: this session may be too large for the memory of this machine.'));
    }
  };

  const start = (): ChildProcess => {
    const made = fork(fileURLToPath(entry), [], {
      serialization: 'json',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
    });
    made.on('message', (reply: Reply) => {
      const question = waiting.get(reply.id);
      if (reply.kind === 'progress') {
        question?.progress(reply.value);
        return;
      }
      waiting.delete(reply.id);
      if (reply.kind === 'failed') question?.failed(new Error(reply.sentence));
      else question?.done(reply.value);
    });
    made.once('exit', () => gone(made));
    // It cannot be started, or it ended while it was asked something.
    made.on('error', () => gone(made));
    return made;
  };

  return {
    ask: (name, input, progress = () => undefined) =>
      new Promise((resolve, reject) => {
        child ??= start();
        const id = next;
        next += 1;
        const waits = { done: resolve, failed: reject, progress };
        waiting.set(id, waits as Waiting);
        child.send({ id, name, input } satisfies Question);
      }),
    close() {
      if (child !== undefined) gone(child);
    },
  };
}
