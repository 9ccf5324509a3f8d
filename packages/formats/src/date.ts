/** A time in milliseconds since 1970 as a date; undefined when it is none. */
export function dateFrom(milliseconds: number | undefined): string | undefined {
  const date = new Date(milliseconds ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A time that is in seconds or in milliseconds, as tools change their minds, in milliseconds. */
export const inMilliseconds = (time: number | undefined): number | undefined =>
  time !== undefined && time < 1e11 ? time * 1000 : time;
