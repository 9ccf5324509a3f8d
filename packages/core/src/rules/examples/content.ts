/** A text in plain words, or a part in the form of its dialect. */
export type Said = string | object;

/** The parts of a message, in which `text` is the form of a bare text. */
export const partsOf = (said: readonly Said[], text: (words: string) => object): object[] =>
  said.map((each) => (typeof each === 'string' ? text(each) : each));

/** The content of a message: one bare text stays a string, everything else is a list of parts. */
export const contentOf = (said: readonly Said[], text: (words: string) => object): string | object[] =>
  said.length === 1 && typeof said[0] === 'string' ? said[0] : partsOf(said, text);
