import { isRecord } from '../model/value.ts';

/** What may be said about data, where a part is known by its data. */
const ABOUT: ReadonlySet<string> = new Set(
  (
    'thought thoughtSignature thought_signature videoMetadata video_metadata mediaResolution media_resolution ' +
    'partMetadata part_metadata'
  ).split(' '),
);

/** True for a part that holds no data, only what is said about it. */
export function saysNothing(wire: unknown): boolean {
  if (!isRecord(wire)) return false;
  return Object.keys(wire).every((key) => ABOUT.has(key) || wire[key] === undefined || wire[key] === null);
}
