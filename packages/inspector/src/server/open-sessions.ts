import type { Overview } from '../api.ts';
import type { KeyedRef } from '../reader/asks.ts';
import { createReader, type Reader } from './reader-process.ts';

type Held = {
  readonly reader: Reader;
  /** The state of the file that was read last. */
  state: string;
  overview: Promise<Overview>;
};

/** The sessions that somebody looks at, each in a process of its own. */
export type OpenSessions = {
  /** Reads a session, or gives what was read when its file has not changed since. */
  overview(ref: KeyedRef, progress: (bytes: number) => void): Promise<Overview>;
  /** The reader that has a session open. */
  reader(ref: KeyedRef): Promise<Reader>;
  close(): void;
};

const MOST_OPEN = 2;

const stateOf = ({ bytes, modified }: KeyedRef): string => `${bytes} ${modified}`;

export function createOpenSessions(entry: URL): OpenSessions {
  const held = new Map<string, Held>();

  const open = (ref: KeyedRef, progress: (bytes: number) => void): Held => {
    const known = held.get(ref.key);
    // What a process had read goes with it.
    const reader = known?.reader ?? createReader(entry, () => held.delete(ref.key));
    const overview = reader.ask('open', ref, progress);
    const made = { reader, state: stateOf(ref), overview };
    overview.catch(() => {
      if (held.get(ref.key) === made) held.delete(ref.key);
      reader.close();
    });
    held.delete(ref.key);
    held.set(ref.key, made);
    for (const [key, { reader: old }] of held) {
      if (held.size <= MOST_OPEN) break;
      held.delete(key);
      old.close();
    }
    return made;
  };

  return {
    async overview(ref, progress) {
      const known = held.get(ref.key);
      return (known !== undefined && known.state === stateOf(ref) ? known : open(ref, progress)).overview;
    },
    async reader(ref) {
      const known = held.get(ref.key) ?? open(ref, () => undefined);
      await known.overview;
      return known.reader;
    },
    close() {
      for (const { reader } of held.values()) reader.close();
      held.clear();
    },
  };
}
