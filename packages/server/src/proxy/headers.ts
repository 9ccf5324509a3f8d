/** Names and values in turn, as they came over the wire: case, order and duplicates are kept. */
export type RawHeaders = readonly string[];

/** The first value of a header, by its name in lower case. */
export function headerIn(headers: RawHeaders, name: string): string | undefined {
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() === name) return headers[index + 1] ?? '';
  }
  return undefined;
}

/** How often a header is there, by its name in lower case. */
export function countOf(headers: RawHeaders, name: string): number {
  return headers.filter((each, index) => index % 2 === 0 && each.toLowerCase() === name).length;
}

/** All headers but those with these names in lower case. */
export function withoutHeaders(headers: RawHeaders, names: ReadonlySet<string>): string[] {
  return headers.filter((_, index) => !names.has((headers[index - (index % 2)] ?? '').toLowerCase()));
}

/** The same headers with another value for one of them, which keeps its place and its case. */
export function withHeader(headers: RawHeaders, name: string, value: string): string[] {
  const lower = name.toLowerCase();
  const changed: string[] = [];
  let found = false;
  for (let index = 0; index < headers.length; index += 2) {
    const written = headers[index] ?? '';
    if (written.toLowerCase() !== lower) changed.push(written, headers[index + 1] ?? '');
    else if (!found) changed.push(written, value);
    found ||= written.toLowerCase() === lower;
  }
  return found ? changed : [...changed, name, value];
}

/** Headers in pairs, the way trailers are written. */
export function pairsOf(headers: RawHeaders): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index < headers.length; index += 2) pairs.push([headers[index] ?? '', headers[index + 1] ?? '']);
  return pairs;
}
