import type { Part } from '../../model/part.ts';
import { wireOf } from './place.ts';

/** The mark by which a client asks that everything up to a part be cached. */
export function markerOf(part: Part | undefined): unknown {
  return wireOf(part)['cache_control'] ?? undefined;
}

/** What the report says where a part goes, or becomes another, that carried such a mark. */
export function markerGone(part: Part): string {
  return markerOf(part) === undefined ? '' : '; its cache marker is gone';
}
