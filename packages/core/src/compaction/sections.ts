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

export const NO_SECTIONS: Sections = {
  Goal: [],
  Constraints: [],
  Decisions: [],
  'Work done': [],
  'Files read': [],
  'Files changed': [],
  'Open tasks': [],
  'Next step': [],
};

/** The sections of a summary as text; those with nothing in them say so. */
export function writeSections(sections: Sections): string {
  return SECTIONS.map((name) => `## ${name}\n${linesOf(sections[name])}`).join('\n');
}

function linesOf(lines: readonly string[]): string {
  return lines.length === 0 ? NOTHING : lines.map((line) => `- ${line}`).join('\n');
}

const NOTHING = '- none recorded';
const MORE = /^\(\d+ more left out\)$/;

/** Reads the sections of a summary, also of one that a model wrote; what stands under no heading is work done. */
export function readSections(text: string): Sections {
  const found: Record<SectionName, string[]> = {
    Goal: [],
    Constraints: [],
    Decisions: [],
    'Work done': [],
    'Files read': [],
    'Files changed': [],
    'Open tasks': [],
    'Next step': [],
  };
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

/** A loop, because a regular expression for marks before an end tries every mark anew. */
function withoutEndMarks(title: string): string {
  let end = title.length;
  while (end > 0 && END_MARK.test(title.charAt(end - 1))) end -= 1;
  return title.slice(0, end);
}

const END_MARK = /[:*\s]/;
