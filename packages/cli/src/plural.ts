/** So many of something, as a sentence says it. */
export const plural = (count: number, word: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? word : word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`}`;
