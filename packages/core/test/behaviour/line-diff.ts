/** Lines around a change that show where it is. */
const AROUND = 2;

/** Two texts, line by line: what only the first has with -, what only the second has with +, and a little around it. */
export function lineDiff(before: string, after: string): string {
  const [one, other] = [before.split('\n'), after.split('\n')];
  const lines = pairs(one, other);
  const near = (index: number): boolean =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some((line) => !line.startsWith(' '));
  const shown: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (near(index)) shown.push(line);
    else if (shown.at(-1) !== '  …') shown.push('  …');
  }
  return shown.join('\n');
}

/** All lines of both, each marked, along the longest list of lines that both have in this order. */
function pairs(one: readonly string[], other: readonly string[]): string[] {
  const common = lengths(one, other);
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (i < one.length && one[i] === other[j]) {
      lines.push(`  ${String(one[i])}`);
      i += 1;
      j += 1;
    } else if (j >= other.length || (i < one.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(`- ${String(one[i])}`);
      i += 1;
    } else {
      lines.push(`+ ${String(other[j])}`);
      j += 1;
    }
  }
  return lines;
}

/** How many lines both have in the same order, from each pair of places on. */
function lengths(one: readonly string[], other: readonly string[]): number[][] {
  const table = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0));
  for (let i = one.length - 1; i >= 0; i -= 1) {
    const [row = [], below = []] = [table[i], table[i + 1]];
    for (let j = other.length - 1; j >= 0; j -= 1) {
      row[j] = one[i] === other[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}
