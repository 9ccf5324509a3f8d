import { clipLine } from './history-text.ts';

/** What a summary tells, in this order. */
export const SECTIONS = [
  'Goal',
  'Constraints',
  'Decisions',
  'Work done',
  'Files read',
  'Files changed',
  'Open tasks',
  'Next step',
] as const;

export type SectionName = (typeof SECTIONS)[number];

/** The lines of a summary under each of its headings. */
export type Sections = Readonly<Record<SectionName, readonly string[]>>;

const NOTHING = '- none recorded';
const MORE = /^\(\d+ more left out\)$/;

/** The least that a summary says. */
export const LEFT_OUT = '(left out)';

/** The sections of a summary as text; those with nothing in them say so. */
export function writeSections(sections: Sections): string {
  return SECTIONS.map((name) => `## ${name}\n${listOf(sections[name]) || NOTHING}`).join('\n');
}

function listOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

/** Reads the sections of a summary, also of one that a model wrote; what stands under no heading is work done. */
export function readSections(text: string): Sections {
  const found = mapSections((): string[] => []);
  let name: SectionName = 'Work done';
  for (const line of text.split('\n')) {
    const heading = headingOf(line);
    if (heading !== undefined) {
      name = heading;
      continue;
    }
    const said = line.replace(/^\s*[-*]\s+/, '').trim();
    if (said !== '' && line.trim() !== NOTHING && !MORE.test(said)) found[name].push(said);
  }
  return found;
}

function headingOf(line: string): SectionName | undefined {
  if (!line.startsWith('#')) return undefined;
  const title = withoutEndMarks(line.replace(/^#+\s*/, '')).toLowerCase();
  return SECTIONS.find((section) => section.toLowerCase() === title);
}

function mapSections<T>(linesOf: (name: SectionName) => T): Record<SectionName, T> {
  return Object.fromEntries(SECTIONS.map((name) => [name, linesOf(name)])) as Record<SectionName, T>;
}

type Limits = { readonly lines: number; readonly width: number };

/** From generous to the least that is still a summary; the first that fits is taken. */
const LIMITS: readonly Limits[] = [
  { lines: 40, width: 600 },
  { lines: 20, width: 300 },
  { lines: 10, width: 160 },
  { lines: 5, width: 80 },
];

/** How long a summary may be, and how that is counted. */
export type Room = { readonly count: (text: string) => number; readonly maxTokens: number };

/** Sections as text, with as many lines and words as there is room for; at the least, the goal alone in a few words. */
export function fitSections(sections: Sections, { count, maxTokens }: Room): string {
  for (const limits of LIMITS) {
    const text = writeSections(mapSections((name) => shortened(name, sections[name], limits)));
    if (count(text) <= maxTokens) return text;
  }
  for (let width = 160; width >= 20 && sections.Goal.length > 0; width >>= 1) {
    const text = `## Goal\n${listOf(sections.Goal.map((line) => clipLine(line, width)))}`;
    if (count(text) <= maxTokens) return text;
  }
  return LEFT_OUT;
}

function shortened(name: SectionName, all: readonly string[], { lines, width }: Limits): readonly string[] {
  // The goal is told at the beginning; of everything else the newest counts.
  const kept = name === 'Goal' ? all.slice(0, lines) : all.slice(-lines);
  const told = kept.map((line) => clipLine(line, width));
  const gone = all.length - kept.length;
  return gone === 0 ? told : [...told, `(${String(gone)} more left out)`];
}

/** A loop: a regular expression for marks before an end would try every mark anew. */
function withoutEndMarks(title: string): string {
  let end = title.length;
  while (end > 0 && END_MARK.test(title.charAt(end - 1))) end -= 1;
  return title.slice(0, end);
}

const END_MARK = /[:*\s]/;
