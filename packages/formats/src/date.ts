/** A time in milliseconds since 1970 as a date; undefined when it is none. */
export function dateFrom(milliseconds: number | undefined): string | undefined {
  const date = new Date(milliseconds ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
