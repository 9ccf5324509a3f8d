/** Scripts whose characters take two columns, and the marks that go with them. */
const wide = new RegExp(
  [
    String.raw`[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F`,
    String.raw`\uFF01-\uFF60\uFFE0-\uFFE6\u{17000}-\u{18D08}\u{1B000}-\u{1B2FB}\u{20000}-\u{3FFFD}]`,
  ].join(''),
  'u',
);
const picture = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|\p{Regional_Indicator}{2}/u;
const nothing = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const ascii = /^[\u0020-\u007E]*$/;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How many columns of a terminal a text takes. */
export function columnsOf(text: string): number {
  if (ascii.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of characters.segment(text)) {
    if (wide.test(segment) || picture.test(segment)) columns += 2;
    else if (!nothing.test(segment)) columns += 1;
  }
  return columns;
}
