import { writeSync } from 'node:fs';
import { styleText } from 'node:util';

import { Unwritable, systemCode } from '../unreadable.ts';

/** What is known of the terminal; plain data, because a worker thread cannot ask for itself. */
export interface Terminal {
  readonly color: boolean;
  /** Columns to wrap at; nothing when the output is not a terminal, where a finding stays on one line for `grep`. */
  readonly width?: number;
  readonly progress: boolean;
}

export type Tone = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';

/** Where a command writes. Nothing else in the package touches the standard streams. */
export interface Output {
  /** Throws {@link Unwritable} where standard output takes no more. */
  print(line: string): void;
  /** Prints without ending the line, for text that comes in pieces. */
  write(text: string): void;
  complain(line: string): void;
  /** Overwrites one line of progress on standard error; an empty text takes it away. */
  progress(text: string): void;
  tone(tone: Tone, text: string): string;
  readonly width: number | undefined;
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Writes all of it, waits where a pipe is full, and gives false once the reader has gone. */
function writeAll(fd: number, text: string): boolean {
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const code = systemCode(error);
      // A failure of standard error can be told nowhere.
      if (code === 'EPIPE' || code === 'EOF' || (code !== 'EAGAIN' && fd === 2)) return false;
      if (code !== 'EAGAIN') throw new Unwritable(error);
      Atomics.wait(pause, 0, 0, 5);
    }
  }
  return true;
}

/** Decides about colours and width by `--no-color`, `NO_COLOR`, `FORCE_COLOR`, `TERM=dumb` and the kind of output. */
export function readTerminal(wantsColor: boolean): Terminal {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = process.env;
  const forced = FORCE_COLOR !== '' && FORCE_COLOR !== '0';
  const capable = process.stdout.isTTY && TERM !== 'dumb';
  return {
    color: wantsColor && NO_COLOR === '' && FORCE_COLOR !== '0' && (forced || capable),
    ...(process.stdout.isTTY ? { width: Math.max(40, process.stdout.columns) } : {}),
    progress: process.stderr.isTTY,
  };
}

export function createOutput(terminal: Terminal): Output {
  const open = { 1: true, 2: true };
  const write = (fd: 1 | 2, text: string): void => {
    open[fd] = open[fd] && writeAll(fd, text);
  };
  return {
    print: (line) => write(1, `${line}\n`),
    write: (text) => write(1, text),
    complain: (line) => write(2, `${line}\n`),
    progress: (text) => {
      if (terminal.progress) write(2, `\r\u001B[K${text}`);
    },
    tone: (tone, text) => (terminal.color ? styleText(tone, text, { validateStream: false }) : text),
    width: terminal.width,
  };
}
