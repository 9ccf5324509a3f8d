import { ifThere } from '../system-failure.ts';
import { discard, type Place, writeNew } from './layout.ts';

type Small = { readonly path: string; readonly bytes: Buffer; readonly sync: boolean };

/** Writes a temporary file next to its destination and returns its name. */
export function writeBeside(place: Pick<Place, 'files' | 'environment'>, { path, bytes, sync }: Small): string {
  const { files, environment } = place;
  const beside = `${path}.${environment.id()}.tmp`;
  writeNew({ files, durability: sync ? 'strict' : 'os' }, beside, bytes);
  return beside;
}

/**
 * Replaces a small file if its contents are still true. The check runs after the temporary file is in the folder: a
 * later erasure removes both, and an earlier one makes the check fail. Returns false and changes nothing if the check
 * fails.
 */
export function replace(place: Pick<Place, 'files' | 'environment'>, small: Small, isTrue: () => boolean): boolean {
  const { files } = place;
  const replaced = ifThere(() => {
    const beside = writeBeside(place, small);
    const holds = isTrue();
    if (holds) files.rename(beside, small.path);
    else discard(files, beside);
    return holds;
  });
  return replaced === true;
}
