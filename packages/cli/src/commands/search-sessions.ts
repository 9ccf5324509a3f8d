import { type Command, InvalidArgumentError } from 'commander';

import { exitCode } from '../doctor/job.ts';
import { plural } from '../plural.ts';
import { type Hit, searchSessions } from '../search/search-index.ts';
import { belongsTo } from '../sessions/project.ts';
import { toolName } from '../sessions/tool-words.ts';
import type { Shell } from '../shell.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { excerpt, visible, visibleJson } from '../terminal/visible.ts';
import { wrap } from '../terminal/wrap.ts';

interface Flags {
  readonly limit: number;
  readonly tool?: readonly string[];
  readonly here?: true;
  readonly json?: true;
  readonly color: boolean;
}

const epilogue = `
The index is in the cache folder, is brought up to date by each search, and may be deleted at any time.
Records of a store: rethread store search <words>.
Exit codes: 0 found, 1 nothing found, 2 could not read.`;

const longestSnippet = 400;

function printHits(hits: readonly Hit[], output: Output): void {
  for (const [path, some] of Map.groupBy(hits, ({ path: file, session }) => `${file} ${session}`)) {
    const [first] = some;
    if (first === undefined || path === '') continue;
    const title = first.title === undefined ? '' : `  ${excerpt(first.title, 60)}`;
    output.print(output.tone('bold', visible(first.session)) + output.tone('dim', `  ${toolName(first.tool)}${title}`));
    for (const { place, speaker, snippet } of some) {
      const head = `  ${visible(place)}  ${visible(speaker)}  `;
      const text = excerpt(snippet.replaceAll(/\s+/g, ' '), longestSnippet);
      output.print(output.tone('dim', head) + wrap(text, 4, output.width));
    }
  }
}

async function run(words: readonly string[], flags: Flags): Promise<number> {
  const output = createOutput(readTerminal(flags.color));
  const isHere = flags.here === true ? belongsTo(process.cwd()) : () => true;
  const hits = await searchSessions({
    words: words.join(' '),
    limit: flags.limit,
    output,
    isWanted: (session) => isHere(session) && (flags.tool?.includes(session.tool) ?? true),
  });
  if (flags.json === true) output.print(visibleJson({ schema: 'rethread/search-sessions@1', hits }, 2));
  else {
    printHits(hits, output);
    const more = hits.length === flags.limit ? `; --limit ${flags.limit * 5} shows more` : '';
    output.complain(`${plural(hits.length, 'record')} found${more}`);
  }
  return hits.length === 0 ? exitCode.findings : exitCode.healthy;
}

function toLimit(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('A whole number of records is needed.');
  return Number(text);
}

/** `rethread search`: what was said in any session of any tool. */
export function addSearchSessions(program: Command, shell: Shell): void {
  program
    .command('search')
    .summary('find what was said, in the sessions of every tool')
    .description(
      'Find the records that have all of the words, or words that begin with them, in sessions of every tool.',
    )
    .argument('<words...>', 'words to look for')
    .option('--tool <id...>', 'only sessions of these tools')
    .option('--here', 'only sessions of this project')
    .option('--limit <n>', 'number of records', toLimit, 20)
    .option('--json', 'print the records for machines')
    .addHelpText('after', epilogue)
    .action(async (words: string[], _: unknown, command: Command) => {
      process.removeAllListeners('SIGINT');
      shell.exit(await run(words, command.optsWithGlobals<Flags>()));
    });
}
