import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import type { Source } from './source.ts';

/** What every part of the page can reach. */
export type World = {
  readonly source: Source;
  readonly showRule: (id: string) => void;
  /** Says something to people who cannot see what changed, and shows it for a moment to the others. */
  readonly say: (sentence: string) => void;
};

export const WorldContext: ReturnType<typeof createContext<World | undefined>> = createContext<World | undefined>(
  undefined,
);

export function useWorld(): World {
  const world = useContext(WorldContext);
  if (world === undefined) throw new Error('This part stands outside of the page.');
  return world;
}
