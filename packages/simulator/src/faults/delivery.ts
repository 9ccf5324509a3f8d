import type { Fault } from './fault.ts';

/** A body on its way out: what is written, how fast, and how it ends. */
export interface Delivery {
  readonly pieces: readonly (string | Buffer)[];
  readonly everyMs: number;
  readonly ending: 'end' | 'break' | 'hang';
}

/** A body before any fault: the frames of a stream, or one piece of JSON. */
export interface Outgoing {
  readonly frames: readonly string[];
  readonly whole: boolean;
  /** Index of the frame that ends a call's input, or -1 where there is no call. */
  readonly callAt: number;
}

/** What becomes of a body under this fault, or nothing where the fault has no hold on it. */
export function deliver(fault: Fault, outgoing: Outgoing): Delivery | undefined {
  return outgoing.whole ? deliverWhole(fault, outgoing) : deliverStream(fault, outgoing);
}

const after = (pieces: readonly (string | Buffer)[], ending: Delivery['ending']): Delivery => ({
  pieces,
  everyMs: 0,
  ending,
});

function deliverStream(fault: Fault, { frames, callAt }: Outgoing): Delivery | undefined {
  switch (fault.kind) {
    case 'cut-bytes':
      return cutAt(frames.join(''), fault.bytes);
    case 'cut-events':
      return fault.events > frames.length ? undefined : after(frames.slice(0, fault.events), 'break');
    case 'end-events':
      return fault.events >= frames.length ? undefined : after(frames.slice(0, fault.events), 'end');
    case 'stall':
      return after(frames.slice(0, fault.events), 'hang');
    case 'cut-call':
      return callAt < 0 ? undefined : after([...frames.slice(0, callAt), half(frames[callAt] ?? '')], 'break');
    case 'cut-character':
      return cutInsideCharacter(frames.join(''));
    case 'drip':
      return { pieces: frames, everyMs: fault.everyMs, ending: 'end' };
    case 'malformed':
    case 'duplicate':
    case 'reorder':
      return disturbed(fault, frames);
    default:
      return undefined;
  }
}

/** Faults count events from 1; a number beyond the last event means the last. */
function disturbed(
  { kind, event }: { kind: 'malformed' | 'duplicate' | 'reorder'; event: number },
  frames: readonly string[],
): Delivery | undefined {
  if (kind === 'reorder' && frames.length < 2) return undefined;
  const last = frames.length - (kind === 'reorder' ? 2 : 1);
  const at = Math.max(0, Math.min(event - 1, last));
  const frame = frames[at] ?? '';
  const next = frames[at + 1] ?? '';
  if (kind === 'malformed') return after(frames.with(at, malformed(frame)), 'end');
  if (kind === 'duplicate') return after(frames.toSpliced(at, 0, frame), 'end');
  return after(frames.toSpliced(at, 2, next, frame), 'end');
}

/** The last third of the data is lost, and with it the end of the JSON. */
function malformed(frame: string): string {
  const body = frame.trimEnd();
  return `${body.slice(0, Math.max(body.indexOf('data: ') + 7, Math.floor((body.length * 2) / 3)))}\n\n`;
}

/** JSON that comes in one piece has no events, so counts of events mean half of it. */
function deliverWhole(fault: Fault, { frames, callAt }: Outgoing): Delivery | undefined {
  const body = frames.join('');
  switch (fault.kind) {
    case 'cut-bytes':
      return cutAt(body, fault.bytes);
    case 'cut-events':
      return after([half(body)], 'break');
    case 'cut-call':
      return callAt < 0 ? undefined : after([half(body)], 'break');
    case 'cut-character':
      return cutInsideCharacter(body);
    case 'stall':
      return after([half(body)], 'hang');
    case 'drip':
      return { pieces: eighths(body), everyMs: fault.everyMs, ending: 'end' };
    case 'end-events':
    case 'malformed':
      return after([half(body)], 'end');
    default:
      return undefined;
  }
}

function cutAt(body: string, bytes: number): Delivery | undefined {
  const all = Buffer.from(body);
  return bytes >= all.length ? undefined : after([all.subarray(0, bytes)], 'break');
}

function cutInsideCharacter(body: string): Delivery | undefined {
  const all = Buffer.from(body);
  const at = all.findIndex((byte) => byte >= 0x80);
  return at < 0 ? undefined : after([all.subarray(0, at + 1)], 'break');
}

const half = (body: string): Buffer => {
  const all = Buffer.from(body);
  return all.subarray(0, all.length >> 1);
};

function eighths(body: string): Buffer[] {
  const all = Buffer.from(body);
  const size = Math.max(1, Math.ceil(all.length / 8));
  const found: Buffer[] = [];
  for (let start = 0; start < all.length; start += size) found.push(all.subarray(start, start + size));
  return found;
}
