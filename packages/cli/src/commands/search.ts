import type { Found } from '@rethread/store';
import type { Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { type StoreFlags, onStore, wholeNumber } from '../store/store-command.ts';
import { excerpt, visible, visibleJson } from '../terminal/visible.ts';

interface Flags extends StoreFlags {
  readonly session?: string;
  readonly limit: string;
}

const longestSnippet = 300;

/** `rethread search`: records by what is said in them. */
export function addSearch(program: Command, shell: Shell): void {
  const command = program
    .command('search')
    .summary('find records by words')
    .description('Find the records that have all of the words, or words that begin with them; also ids and tools.')
    .argument('<words>', 'what to look for')
    .option('--session <id>', 'only in this session')
    .option('--limit <n>', 'at most so many', '50');
  onStore<Flags>(command, shell, async ({ store, flags, output, notices }, words = '') => {
    const found: Found[] = [];
    const limit = wholeNumber(flags.limit, 1);
    const where = flags.session === undefined ? {} : { session: flags.session };
    for await (const each of store.search(words, { limit, ...where })) found.push(each);
    const missed = notices.filter(({ kind }) => kind === 'search-incomplete');
    if (flags.json === true) {
      const unsearched = missed.map(({ session, sentence }) => ({ session, sentence }));
      output.print(visibleJson({ schema: 'rethread/search@1', store: store.url, words, found, unsearched }, 2));
    } else {
      for (const { session, seq, kind, snippet } of found) {
        const head = output.tone('bold', `${visible(session)}  ${seq}`);
        output.print(`${head}  ${excerpt(kind, 20)}  ${excerpt(snippet, longestSnippet)}`);
      }
      output.complain(`${found.length} record${found.length === 1 ? '' : 's'} found`);
    }
    return found.length === 0 || missed.length > 0 ? exitCode.findings : exitCode.healthy;
  });
}
