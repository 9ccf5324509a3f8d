/** A title made of a prompt: its first line, cut to a length; undefined when nothing is left. */
export const titleFrom = (text: string | undefined): string | undefined =>
  text?.trim().split('\n')[0]?.trim().slice(0, 100) || undefined;

/** A time in milliseconds since 1970 as a date; undefined when it is none. */
export function dateFrom(milliseconds: number | undefined): string | undefined {
  const date = new Date(milliseconds ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
