import { createText, type TextSource } from './text.ts';
import { emoji, identifiers, languagesOf, type Language } from './token-words.ts';

/** A kind of text that agents read or write: makes at least so many characters of it. */
export type TextKind = { readonly name: string; readonly make: (source: TextSource, characters: number) => string };

const hex = '0123456789abcdef';
const digits = '0123456789';
const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const drawn = (source: TextSource, length: number, alphabet: string): string => {
  let text = '';
  for (let i = 0; i < length; i += 1) text += source.pick(alphabet);
  return text;
};
const upperFirst = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const name = (source: TextSource): string => source.pick(identifiers);
const camel = (source: TextSource): string => `${name(source)}${upperFirst(name(source))}`;
const uuid = (source: TextSource): string => [8, 4, 4, 4, 12].map((length) => drawn(source, length, hex)).join('-');
const path = (source: TextSource): string =>
  `${Array.from({ length: source.between(2, 5) }, () => name(source)).join('/')}.${source.pick(['ts', 'py', 'go', 'md'])}`;
const stamp = (source: TextSource): string => {
  const two = (most: number): string => String(source.between(1, most)).padStart(2, '0');
  return `20${two(29)}-${two(12)}-${two(28)}T${two(23)}:${two(59)}:${two(59)}.${drawn(source, 3, digits)}Z`;
};

/** Words follow one another as in the sample for a while, and then somewhere else. */
function prose(source: TextSource, { words, blank }: Language, characters: number): string {
  let text = '';
  while (text.length < characters) {
    const start = source.between(0, words.length - 1);
    const phrase = words.slice(start, start + source.between(3, 9)).join(blank);
    text += (text === '' ? '' : blank) + phrase.replaceAll(/ ([.,،।])/gu, '$1');
    if (source.chance(0.05)) text += '\n\n';
  }
  return text;
}

/** Lines of one shape, as many as are needed. */
const lines = (kind: string, line: (source: TextSource, index: number) => string, end = '\n'): TextKind => ({
  name: kind,
  make: (source, characters) => {
    let text = '';
    for (let index = source.between(1, 900); text.length < characters; index += 1) text += line(source, index) + end;
    return text;
  },
});

const english = languagesOf().find((language) => language.name === 'english') ?? { name: '', words: [''], blank: ' ' };
const sentence = (source: TextSource, characters = 50): string => prose(source, english, characters);

function value(source: TextSource, depth = 0): unknown {
  const kind = source.between(0, depth > 2 ? 4 : 6);
  if (kind === 0) return sentence(source, 20);
  if (kind === 1) return source.between(0, 1_000_000);
  if (kind === 2) return source.pick([true, false, null, 0.25, uuid(source), stamp(source)]);
  if (kind <= 4) return path(source);
  const size = { length: source.between(1, 5) };
  if (kind === 5) return Array.from(size, () => value(source, depth + 1));
  return Object.fromEntries(Array.from(size, () => [camel(source), value(source, depth + 1)]));
}

const code: readonly TextKind[] = [
  lines('typescript', (source) => {
    const [one, two, three] = [camel(source), camel(source), name(source)];
    return [
      `export function ${one}(${two}: readonly string[]): number {`,
      `  if (${two}.length === 0) return 0;`,
      `  const ${three} = await load(\`\${${two}[0]}/index\`);`,
      `  return ${three}.filter((each) => each !== undefined).length;`,
      '}\n',
    ].join('\n');
  }),
  lines('python', (source) => {
    const [one, two] = [`${name(source)}_${name(source)}`, name(source)];
    return [
      `def ${one}(self, ${two}: dict[str, int]) -> None:`,
      `    """${upperFirst(sentence(source))}"""`,
      `    for key, value in sorted(${two}.items()):`,
      `        self._${one}[key] = value or ${source.between(0, 99)}\n`,
    ].join('\n');
  }),
  lines('go', (source) => {
    const [one, two] = [upperFirst(camel(source)), name(source)];
    return [
      `func (${two.charAt(0)} *${upperFirst(two)}) ${one}(ctx context.Context) error {`,
      `\tif err := ${two.charAt(0)}.client.Do(ctx, "${path(source)}"); err != nil {`,
      `\t\treturn fmt.Errorf("${two}: %w", err)\n\t}\n\treturn nil\n}\n`,
    ].join('\n');
  }),
  lines('sql', (source) => {
    const [table, log] = [`${name(source)}s`, `${name(source)}_log`];
    return [
      `SELECT ${table}.id, COUNT(*) AS total FROM ${table} LEFT JOIN ${log} ON ${table}.id = ${log}.${name(source)}_id`,
      `WHERE created_at > '${stamp(source)}' GROUP BY 1 ORDER BY total DESC LIMIT ${source.between(1, 500)};`,
    ].join('\n');
  }),
  lines('html', (source) => {
    const link = `<a href="/${path(source)}?id=${source.between(1, 999)}">${sentence(source, 30)}</a>`;
    return `<div class="${name(source)}-${name(source)} flex">${link}</div>`;
  }),
  lines('css', (source) => {
    const rules = [`margin: 0 ${source.between(1, 64)}px;`, `color: #${drawn(source, 6, hex)};`];
    return `.${name(source)}__${name(source)} {\n  ${rules.join('\n  ')}\n}\n`;
  }),
  lines('shell', (source) => {
    const run = `npm run ${name(source)} -- --${name(source)}=${source.between(1, 99)}`;
    return `$ git commit -m "${sentence(source, 30)}" && ${run} | tee /var/log/${name(source)}.log`;
  }),
  lines('diff', (source) => {
    const indent = source.pick(['+', '-', ' ']) + ' '.repeat(2 * source.between(0, 5));
    return `${indent}${camel(source)}.${name(source)}(${camel(source)}, ${source.between(0, 99)});`;
  }),
];

const machine: readonly TextKind[] = [
  lines('json', (source) => JSON.stringify(value(source))),
  lines('indented json', (source) => JSON.stringify(value(source), undefined, 2)),
  lines('json in json', (source) => JSON.stringify({ output: JSON.stringify(value(source), undefined, 2) })),
  lines('log', (source) => {
    const about = `[${name(source)}-${source.between(1, 16)}] ${sentence(source, 40)}`;
    const level = source.pick(['INFO', 'WARN', 'ERROR']);
    return `${stamp(source)} ${level} ${about} took=${source.between(1, 9_999)}ms id=${drawn(source, 16, hex)}`;
  }),
  lines('stack trace', (source) => {
    const place = `/app/${path(source)}:${source.between(1, 900)}:${source.between(1, 80)}`;
    return `    at ${upperFirst(camel(source))}.${camel(source)} (${place})`;
  }),
  lines('numbered file', (source, index) => {
    const indent = ' '.repeat(2 * source.between(0, 5));
    return `${String(index).padStart(6)}\t${indent}const ${camel(source)} = ${name(source)}(${camel(source)});`;
  }),
  lines('search', (source) => `./${path(source)}:${source.between(1, 900)}:  ${camel(source)}(${name(source)})`),
  lines('paths', (source) => `/srv/${name(source)}/${path(source)}`),
  lines(
    'markdown',
    (source) =>
      `## ${upperFirst(sentence(source, 20))}\n\n- **${name(source)}**: ${sentence(source)}\n- \`${camel(source)}()\`\n`,
  ),
  lines(
    'table',
    (source) =>
      `| ${name(source).padEnd(12)} | ${String(source.between(1, 99_999)).padStart(8)} | ${sentence(source, 20)} |`,
  ),
  lines(
    'box',
    (source) => `│ ${name(source).padEnd(14)} │ ${name(source).padEnd(10)} │\n├${'─'.repeat(16)}┼${'─'.repeat(12)}┤`,
  ),
  lines(
    'csv',
    (source) => `${source.between(1, 9_999)},${name(source)},${source.between(1, 1e6) / 100},${stamp(source)}`,
  ),
  lines('numbers', (source) => (source.between(1, 1e8) / 1_000).toFixed(source.between(0, 4)), ' '),
  lines('uuids', uuid),
  lines('digests', (source) => `${drawn(source, 40, hex)}  ${path(source)}`),
  lines('call ids', (source) => `call_${drawn(source, 24, base64.slice(0, 62))}: ${name(source)}`),
  lines(
    'urls',
    (source) =>
      `https://${name(source)}.example.com/${path(source)}?page=${source.between(1, 99)}&token=${drawn(source, 20, base64.slice(0, 62))}`,
  ),
  lines('colours', (source) => `\u001b[${source.between(30, 37)}m${sentence(source, 20)}\u001b[0m`),
  lines('padded', (source) => ' '.repeat(source.between(0, 60)) + name(source)),
  lines('rules', (source) => `${source.pick('-=#*~').repeat(source.between(20, 90))}\n${sentence(source)}`),
  lines('shouting', (source) => sentence(source).toUpperCase(), ' '),
  lines('emoji', (source) => `${source.pick(emoji)} ${sentence(source, 20)} ${source.pick(emoji)}`),
  { name: 'hexadecimal', make: (source, characters) => drawn(source, characters, hex) },
  { name: 'base64', make: (source, characters) => drawn(source, characters, base64) },
];

/** Agents read most scripts far less often than code, so a script is a kind of text, and its languages share it. */
const scripts: Readonly<Record<string, readonly string[]>> = {
  english: ['english'],
  'latin letters': ['german', 'french', 'spanish', 'polish', 'turkish', 'vietnamese'],
  cyrillic: ['russian', 'ukrainian'],
  'other alphabets': ['greek', 'hebrew', 'arabic', 'hindi'],
  'east asian': ['chinese', 'traditional', 'japanese', 'korean'],
};

export const textKinds: readonly TextKind[] = [
  ...Object.entries(scripts).map(([kind, names]): TextKind => {
    const spoken = languagesOf().filter((language) => names.includes(language.name));
    return { name: kind, make: (source, characters) => prose(source, source.pick(spoken), characters) };
  }),
  ...code,
  ...machine,
];

/** So many texts of every kind, from the length of a paragraph to that of a file. */
export function generateTexts(seed: number, perKind: number): { kind: string; text: string }[] {
  const source = createText(seed);
  return textKinds.flatMap(({ name: kind, make }) =>
    Array.from({ length: perKind }, () => {
      const characters = source.logUniform(200, 4_000);
      return { kind, text: make(source, characters).slice(0, characters).toWellFormed() };
    }),
  );
}
