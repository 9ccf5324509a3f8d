import { errorCode } from '../system-failure.ts';
import { discard, type Place, writeNew } from './layout.ts';

type Small = { readonly path: string; readonly bytes: Buffer; readonly sync: boolean };

/** Writes a small file beside the place that it is for, and gives its name. */
export function writeBeside(place: Pick<Place, 'files' | 'environment'>, { path, bytes, sync }: Small): string {
  const { files, environment } = place;
  const beside = `${path}.${environment.id()}.tmp`;
  writeNew({ files, durability: sync ? 'strict' : 'os' }, beside, bytes);
  return beside;
}

/**
 * Replaces a small file as a whole, if what it tells is still true. That is asked when the new one stands in the folder
 * already: a session that is erased after the answer takes it along, and one that was made anew before it says no.
 * False, and nothing is changed, when it is not true any more.
 */
export function replace(place: Pick<Place, 'files' | 'environment'>, small: Small, isTrue: () => boolean): boolean {
  const { files } = place;
  try {
    const beside = writeBeside(place, small);
    if (isTrue()) {
      files.rename(beside, small.path);
      return true;
    }
    discard(files, beside);
  } catch (error) {
    // The folder went meanwhile.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  return false;
}
