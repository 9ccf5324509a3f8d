import type { Place } from './place.ts';

/** What can be wrong with a tool's files. The text of a fault says what it means for this one. */
export type FaultKind =
  // bytes
  | 'bom'
  | 'crlf'
  | 'nul'
  | 'bad-utf8'
  | 'glued'
  | 'torn'
  | 'not-json'
  | 'too-deep'
  | 'too-long'
  | 'no-final-newline'
  // files
  | 'link'
  | 'not-a-file'
  | 'unreadable'
  | 'missing-file'
  | 'unknown-format'
  | 'newer-version'
  | 'reader-failed'
  // records
  | 'unknown-record'
  | 'bad-record'
  | 'missing-head'
  | 'lost-parent'
  | 'repeated-id'
  | 'out-of-order'
  | 'stale-index';

/** One thing that is wrong in a file. Nothing that cannot be read goes without one. */
export type Fault = {
  readonly kind: FaultKind;
  readonly place: Place;
  readonly note: string;
  /** How many more there are of this kind, once there are too many to list. */
  readonly more?: number;
};

/** What readers tell while they read. */
export type FaultLog = {
  /** Tells how many bytes of a log have been read. */
  readonly read: (bytes: number) => void;
  readonly add: (kind: FaultKind, place: Place, note: string) => void;
  readonly list: () => readonly Fault[];
};

/** More faults of one kind than this are counted only: a hostile file must not fill the memory with them. */
const MOST_OF_A_KIND = 1000;

export function createFaultLog(onRead: (bytes: number) => void = () => undefined): FaultLog {
  const faults: Fault[] = [];
  const counts = new Map<FaultKind, number>();
  return {
    read: onRead,
    add(kind, place, note) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      if (count <= MOST_OF_A_KIND) faults.push({ kind, place, note });
    },
    list() {
      return faults.map((fault, index) => {
        const more = (counts.get(fault.kind) ?? 0) - MOST_OF_A_KIND;
        const isLast = more > 0 && faults.findLastIndex(({ kind }) => kind === fault.kind) === index;
        return isLast ? { ...fault, more } : fault;
      });
    },
  };
}
