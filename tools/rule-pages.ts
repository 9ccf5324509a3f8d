import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examplesOf, type Example } from '../packages/core/src/examples.ts';
import { rules, type RuleDoc } from '../packages/core/src/index.ts';

const LOSS = { none: 'nothing is lost', synthetic: 'content is invented', lossy: 'content may be dropped' };

/** Every page of docs/rules by its file name, made from the rules themselves. */
export function rulePages(): Map<string, string> {
  const pages = new Map<string, string>(rules().map((rule) => [`${rule.id}.md`, rulePage(rule)]));
  pages.set('README.md', indexPage());
  return pages;
}

function indexPage(): string {
  const rows = rules().map(
    (rule) => `| [${rule.id}](${rule.id}.md) | ${rule.title} | ${rule.layer} | ${rule.severity} | ${rule.loss} |`,
  );
  return [
    '# Rules',
    '',
    'Made from the rules themselves by `npm run pages`; `rethread explain <rule>` prints the same.',
    '',
    '| rule | breach | layer | severity | loss |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function rulePage(rule: RuleDoc): string {
  return [
    `# ${rule.id}`,
    '',
    `${capital(rule.title)}. Severity **${rule.severity}**; at most, ${LOSS[rule.loss]} in its repair.`,
    '',
    rule.summary,
    '',
    `Dialects: ${rule.dialects.join(', ')}.`,
    ...(rule.evidence.length === 0 ? [] : ['', `Evidence: ${rule.evidence.join(', ')}.`]),
    ...examplesOf(rule.id).flatMap(exampleLines),
    '',
  ].join('\n');
}

function exampleLines(example: Example): string[] {
  const about = [example.dialect, ...(example.model === undefined ? [] : [example.model])];
  const settings = { ...example.options, ...(example.profile === undefined ? {} : { profile: example.profile }) };
  const chosen = Object.keys(settings).length === 0 ? '' : `, \`${JSON.stringify(settings)}\``;
  const heading = ['', `## ${capital(example.name)} (${about.join(', ')}${chosen})`];
  if ('clean' in example) return [...heading, '', 'Accepted as it is:', ...block(example.clean)];
  const before = [...heading, '', 'Found in:', ...block(example.before)];
  return 'after' in example ? [...before, '', 'Repaired to:', ...block(example.after)] : before;
}

function block(value: unknown): string[] {
  const write = (each: unknown): string =>
    JSON.stringify(each, (_key, inner: unknown) => (typeof inner === 'bigint' ? `${String(inner)}n` : inner));
  const lines = Array.isArray(value)
    ? ['[', ...value.map((each, i) => `  ${write(each)}${i < value.length - 1 ? ',' : ''}`), ']']
    : [write(value)];
  return ['', '```json', ...lines, '```'];
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Writes the pages, and removes pages of rules that are gone. */
export function writeRulePages(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const pages = rulePages();
  for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name));
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
}
