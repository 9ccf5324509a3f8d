/** A fenced block of a Markdown page. */
export type Block = {
  readonly page: string;
  /** The line of the first line of the body, counted from 1. */
  readonly line: number;
  readonly language: string;
  /** The name in `file=name` after the language: the body is to be found under that name when commands run. */
  readonly file: string | undefined;
  readonly body: string;
  /** Only blank lines stand between this block and the one before it. */
  readonly follows: boolean;
};

/** A command of a page with the output that the page shows for it. */
export type Session = { readonly command: Block; readonly output: Block };

const opening = /^(?<indent> *)(?<fence>`{3,})(?<language>[a-z]*)(?: +(?<info>.*))?$/;

/** All fenced blocks of a page, in order. */
export const blocksOf = (page: string, text: string): Block[] => {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  let blank = false;
  for (let index = 0; index < lines.length; index += 1) {
    const found = opening.exec(lines[index] ?? '')?.groups;
    if (found === undefined) {
      blank &&= lines[index]?.trim() === '';
      continue;
    }
    const { indent = '', fence = '', language = '', info = '' } = found;
    const end = lines.findIndex((line, at) => at > index && line.trimEnd() === indent + fence);
    const stop = end === -1 ? lines.length : end;
    const body = lines.slice(index + 1, stop).map((line) => line.slice(indent.length));
    const file = /(?:^| )file=(\S+)/.exec(info)?.[1];
    blocks.push({ page, line: index + 2, language, file, body: `${body.join('\n')}\n`, follows: blank });
    index = stop;
    blank = true;
  }
  return blocks;
};

/** A block of text or JSON right after a block of commands is what those commands print. */
export const sessionsOf = (blocks: readonly Block[]): Session[] =>
  blocks.flatMap((output, index) => {
    const command = blocks[index - 1];
    const shown = output.follows && (output.language === 'text' || output.language === 'json');
    return shown && command?.language === 'sh' ? [{ command, output }] : [];
  });

const slug = (heading: string): string =>
  heading
    .replace(/[`*]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replace(/ /g, '-');

/** A page without its fenced blocks, line by line. */
const prose = (text: string): string[] => {
  let inside = false;
  return text.split('\n').filter((line) => {
    const fence = /^ *```/.test(line);
    if (fence) inside = !inside;
    return !inside && !fence;
  });
};

/** The anchors that the headings of a page make. */
export const anchorsOf = (text: string): string[] =>
  prose(text).flatMap((line) => {
    const heading = /^#{1,6} +(.*)$/.exec(line)?.[1];
    return heading === undefined ? [] : [slug(heading)];
  });

/** Where the pages are read online; a README that is published with a package has no file of ours beside it. */
const online = 'https://github.com/rethread/rethread/blob/main/';

/** The links of a page that lead to a file or a heading of the repository; one that begins with `/`, from its root. */
export const linksOf = (text: string): string[] =>
  [
    ...prose(text)
      .join('\n')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].flatMap(([, written = '']) => {
    const link = written.startsWith(online) ? written.slice(online.length - 1) : written;
    return /^[a-z]+:/.test(link) ? [] : [link];
  });
