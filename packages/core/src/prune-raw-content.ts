import { prunedRawContent } from './dialects/raw-content.ts';
import type { Draft } from './engine/draft.ts';
import { withKeys } from './model/value.ts';

/** What a program keeps of the provider's own words must not bring back a call that was taken out. */
export function pruneRawContent<M>({ codec, wire }: Pick<Draft, 'codec' | 'wire'>, before: readonly M[]): M[] {
  const old = new Set<unknown>(before);
  return wire.map((message) => {
    const changes = old.has(message) ? {} : prunedRawContent({ wire: message, parts: codec.read(message, 0).parts });
    return (Object.keys(changes).length === 0 ? message : withKeys(message, changes)) as M;
  });
}
