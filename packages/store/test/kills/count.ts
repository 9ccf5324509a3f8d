/** A count from the command line; any other value ends the run at once. */
export function countOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  process.stderr.write(`--count must be a whole number from 1, not ${JSON.stringify(text)}\n`);
  process.exit(2);
}
