/** What goes wrong with an answer. */
export type Fault =
  | { readonly kind: 'close' }
  | { readonly kind: 'rate-limit'; readonly retryAfterSeconds?: number }
  | { readonly kind: 'server-error' }
  | { readonly kind: 'overloaded' }
  | { readonly kind: 'overflow' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'cut-bytes'; readonly bytes: number }
  | { readonly kind: 'cut-events'; readonly events: number }
  | { readonly kind: 'end-events'; readonly events: number }
  | { readonly kind: 'cut-call' }
  | { readonly kind: 'cut-character' }
  | { readonly kind: 'stall'; readonly events: number }
  | { readonly kind: 'drip'; readonly everyMs: number }
  | { readonly kind: 'malformed'; readonly event: number }
  | { readonly kind: 'duplicate'; readonly event: number }
  | { readonly kind: 'reorder'; readonly event: number };

/** Which requests a fault befalls: all, those with certain numbers, or a share of them by chance. */
export type When =
  | { readonly kind: 'always' }
  | { readonly kind: 'numbers'; readonly from: number; readonly to: number }
  | { readonly kind: 'chance'; readonly rate: number };

export interface FaultRule {
  readonly fault: Fault;
  readonly when: When;
}

/** A text that names no fault, with the names it could have used. */
export class FaultSpecError extends Error {
  override readonly name = 'FaultSpecError';
}

interface Kind {
  readonly usage: string;
  readonly does: string;
  /** The number used when the text gives none; without one here the fault takes no number. */
  readonly preset?: number | 'none' | 'required';
  make(number: number | undefined): Fault;
}

const KINDS: Readonly<Record<string, Kind>> = {
  '429': {
    usage: '429[:seconds]',
    does: 'rate limit, with a retry-after header when seconds are given',
    preset: 'none',
    make: (seconds) => ({ kind: 'rate-limit', ...(seconds !== undefined && { retryAfterSeconds: seconds }) }),
  },
  '500': { usage: '500', does: 'server error', make: () => ({ kind: 'server-error' }) },
  '529': { usage: '529', does: 'overloaded (503 where the provider has no 529)', make: () => ({ kind: 'overloaded' }) },
  close: { usage: 'close', does: 'the connection closes before the head', make: () => ({ kind: 'close' }) },
  overflow: { usage: 'overflow', does: 'the history is too long for the model', make: () => ({ kind: 'overflow' }) },
  empty: { usage: 'empty', does: 'an answer without content', make: () => ({ kind: 'empty' }) },
  'cut-bytes': {
    usage: 'cut-bytes:n',
    does: 'the connection breaks after n bytes of the body',
    preset: 'required',
    make: (bytes = 0) => ({ kind: 'cut-bytes', bytes }),
  },
  'cut-events': {
    usage: 'cut-events:n',
    does: 'the connection breaks after n events',
    preset: 'required',
    make: (events = 0) => ({ kind: 'cut-events', events }),
  },
  'end-events': {
    usage: 'end-events:n',
    does: 'the stream ends after n events as if it were over',
    preset: 'required',
    make: (events = 0) => ({ kind: 'end-events', events }),
  },
  'cut-call': {
    usage: 'cut-call',
    does: "the connection breaks inside a call's input",
    make: () => ({ kind: 'cut-call' }),
  },
  'cut-character': {
    usage: 'cut-character',
    does: 'the connection breaks inside a character of several bytes',
    make: () => ({ kind: 'cut-character' }),
  },
  stall: {
    usage: 'stall[:n]',
    does: 'nothing comes after n events (1)',
    preset: 1,
    make: (events = 1) => ({ kind: 'stall', events }),
  },
  drip: {
    usage: 'drip[:ms]',
    does: 'one event every so many milliseconds (50)',
    preset: 50,
    make: (everyMs = 50) => ({ kind: 'drip', everyMs }),
  },
  malformed: {
    usage: 'malformed[:n]',
    does: 'event n (2) is no JSON',
    preset: 2,
    make: (event = 2) => ({ kind: 'malformed', event }),
  },
  duplicate: {
    usage: 'duplicate[:n]',
    does: 'event n (2) comes twice',
    preset: 2,
    make: (event = 2) => ({ kind: 'duplicate', event }),
  },
  reorder: {
    usage: 'reorder[:n]',
    does: 'event n (2) comes after the next',
    preset: 2,
    make: (event = 2) => ({ kind: 'reorder', event }),
  },
};

/** How each fault is written and what it does, for help texts. */
export const FAULT_USAGE: readonly { readonly usage: string; readonly does: string }[] = Object.values(KINDS).map(
  ({ usage, does }) => ({ usage, does }),
);

/** Reads one fault such as `cut-bytes:120`. */
export function parseFault(text: string): Fault {
  const [name = '', number, ...more] = text.trim().split(':');
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (kind === undefined) {
    const known = Object.values(KINDS).map(({ usage }) => usage);
    throw new FaultSpecError(`unknown fault '${name}'; known are ${known.join(', ')}`);
  }
  if (more.length > 0 || (number !== undefined && kind.preset === undefined)) {
    throw new FaultSpecError(`'${text.trim()}' says too much; write ${kind.usage}`);
  }
  if (number === undefined && kind.preset === 'required') {
    throw new FaultSpecError(`'${name}' needs a number; write ${kind.usage}`);
  }
  if (number !== undefined && !/^\d{1,9}$/.test(number)) {
    throw new FaultSpecError(`'${number}' in '${text.trim()}' is no whole number; write ${kind.usage}`);
  }
  return kind.make(number === undefined ? undefined : Number(number));
}

/** Reads a list such as `cut-bytes:120@3, 529@20%`. */
export function parseFaults(text: string): FaultRule[] {
  return text
    .split(/[,;\s]+/)
    .filter((spec) => spec !== '')
    .map((spec) => {
      const at = spec.indexOf('@');
      if (at < 0) return { fault: parseFault(spec), when: { kind: 'always' } };
      return { fault: parseFault(spec.slice(0, at)), when: parseWhen(spec.slice(at + 1), spec) };
    });
}

function parseWhen(text: string, spec: string): When {
  const share = /^(\d{1,3}(?:\.\d+)?)%$/.exec(text);
  if (share !== null && Number(share[1]) <= 100) return { kind: 'chance', rate: Number(share[1]) / 100 };
  const numbers = /^(\d{1,9})(?:(-)(\d{1,9})?)?$/.exec(text);
  if (numbers !== null) {
    const from = Number(numbers[1]);
    const to = numbers[2] === undefined ? from : numbers[3] === undefined ? Infinity : Number(numbers[3]);
    if (from >= 1 && to >= from) return { kind: 'numbers', from, to };
  }
  throw new FaultSpecError(
    `'@${text}' in '${spec}' names no requests; write @3, @2-5, @4- or a share such as @20%, counting from 1`,
  );
}
