/** How many letters have to be put in, taken out or changed to make one word of the other. */
function distance(one: string, two: string): number {
  let row = Array.from({ length: two.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...two].entries()) {
      const change = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[two.length] ?? 0;
}

/** Up to three names that somebody may have meant: those that share a word with it or differ in a few letters. */
export function nearest(word: string, names: readonly string[]): string[] {
  const asked = word.slice(0, 60).toLowerCase();
  const words = new Set(asked.split(/[^a-z0-9]+/).filter((each) => each.length > 2));
  return names
    .map((name) => {
      const shared = name.split('-').filter((each) => words.has(each)).length;
      return { name, shared, letters: distance(asked, name) };
    })
    .filter(({ name, shared, letters }) => shared > 0 || letters <= Math.max(2, name.length / 3))
    .sort((one, two) => two.shared - one.shared || one.letters - two.letters)
    .slice(0, 3)
    .map(({ name }) => name);
}
