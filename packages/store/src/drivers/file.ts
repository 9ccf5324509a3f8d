import type { OpenDriver } from '../driver.ts';
import { StoreError } from '../store-error.ts';
import { finishErasures } from './file/erase.ts';
import { attempt } from './system-failure.ts';
import { FileDriver } from './file/file-driver.ts';
import { type Files, realFiles } from './file/files.ts';
import { type Place, preparePlace } from './file/layout.ts';
import { pathInUrl } from './path-in-url.ts';

/** Opens a directory of sessions on any implementation of `Files`. */
export function openFileOn(files: Files): OpenDriver {
  return async (url, { environment, durability }) => {
    if (durability === 'none')
      throw new StoreError(
        'unsupported',
        'a directory cannot have durability none; use strict, os or batch, or a memory: store',
      );
    const root = files === realFiles ? pathInUrl(url) : url.replace(/^file:/, '');
    const place: Place = { root, files, environment, durability, instance: environment.id() };
    preparePlace(place);
    attempt(`cannot open ${root}`, () => finishErasures(place));
    return new FileDriver(url, place);
  };
}

/** Stores sessions in a directory: `file:./sessions`. Needs only Node. */
export const openFile: OpenDriver = openFileOn(realFiles);
