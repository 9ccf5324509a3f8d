/** A count from the command line; anything else ends the run before it has begun. */
export function countOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  process.stderr.write(`--count is a whole number from 1 up, and not ${JSON.stringify(text)}\n`);
  process.exit(2);
}
