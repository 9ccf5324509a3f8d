/** A seeded source of choices and of text that looks like what agents read and write. */
export type TextSource = {
  /** A whole number from least to most, both included. */
  between(least: number, most: number): number;
  logUniform(least: number, most: number): number;
  chance(share: number): boolean;
  pick<T>(choices: ArrayLike<T>): T;
  text(characters: number): string;
};

const words = (
  'the file returns error at line value import const function test build request session result missing path index ' +
  'await config server timeout while reading module undefined expected string number object array record update user ' +
  'tool call output status done failed retry cache memory thread lock queue message part history'
).split(' ');
const foreignWords = ['файл', 'не', 'найден', '結果', '错误', '読み込み', 'επιτυχία', 'שגיאה', '✅', '🙂'];
const foreignShare = 0.04;
const poolCharacters = 1 << 16;

export function createText(seed: number): TextSource {
  const random = mulberry32(seed);
  const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  const pick = <T>(choices: ArrayLike<T>): T => {
    const choice = choices[between(0, choices.length - 1)];
    if (choice === undefined) throw new RangeError('nothing to choose from');
    return choice;
  };
  const plain = textPool(() => pick(words));
  const foreign = textPool(() => (random() < 0.3 ? pick(foreignWords) : pick(words)));
  return {
    between,
    pick,
    chance: (share) => random() < share,
    logUniform: (least, most) => Math.round(least * (most / least) ** random()),
    text(characters) {
      const pool = random() < foreignShare ? foreign : plain;
      const start = between(0, pool.length - characters - 1);
      // The plain letters at both ends keep a slice of spaces from being blank; a pair cut in two is made whole.
      return `a${pool.slice(start, start + characters).toWellFormed()}z`;
    },
  };
}

/** Slices of one pool make 300 MB of text in a second; words and line ends keep its escapes and statistics honest. */
function textPool(word: () => string): string {
  let pool = '';
  for (let count = 1; pool.length < poolCharacters; count += 1) {
    pool += count % 12 === 0 ? `${word()}\n` : count % 17 === 0 ? `"${word()}" ` : `${word()} `;
  }
  return pool;
}

/** Tommy Ettinger's generator: 32 bits of state are plenty for choosing words, and it needs no dependency. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
