import { Session, type Profiler } from 'node:inspector/promises';
import { registerHooks } from 'node:module';
import { parseArgs } from 'node:util';

const help = `npm run visited [-- --list <name>]

Counts the files and functions that run during one call: repair, convert and compact of the request in the README, and
an append to a session in memory. Callbacks without a name are counted apart.

  --list <name>  print the functions of one of these calls, by file
`;

/** The request of the README's first example. */
const request = {
  model: 'claude-sonnet-4-5',
  max_tokens: 1024,
  tools: [{ name: 'bash', input_schema: { type: 'object' } }],
  messages: [
    { role: 'user', content: 'Delete the old logs.' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_01', name: 'bash', input: { command: 'rm logs/*' } }],
    },
    { role: 'user', content: 'Are you still there?' },
  ],
};

// The files that people read, and not the ones that are published.
registerHooks({
  resolve: (name, context, next) => {
    const [, ours] = /^@rethread\/(\w+)$/.exec(name) ?? [];
    return next(ours === undefined ? name : new URL(`../packages/${ours}/src/index.ts`, import.meta.url).href, context);
  },
});
const { compact, convert, repair } = await import('@rethread/core');
const { open } = await import('@rethread/store');

const store = await open('memory:');
const session = await store.create();

const calls: Readonly<Record<string, () => unknown>> = {
  repair: () => repair(request),
  convert: () => convert(request, { to: 'openai-chat' }),
  compact: () => compact(request, { budgetTokens: 20 }),
  append: () =>
    session.append([{ kind: 'message', data: { dialect: 'anthropic-messages', wire: request.messages[0] } }]),
};

type Visited = ReadonlyMap<string, readonly string[]>;

/** By file: the functions that ran while the work was done. Bodies of modules ran before. */
async function visitedBy(inspector: Session, work: () => unknown): Promise<Visited> {
  await inspector.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const files = new Map<string, readonly string[]>();
  for (const script of result) {
    const functions = functionsOf(script);
    if (functions.length > 0) files.set(script.url.replace(/^.*\/packages\//, ''), functions);
  }
  return files;
}

function functionsOf({ url, functions }: Profiler.ScriptCoverage): string[] {
  if (!/\/packages\/\w+\/src\//.test(url)) return [];
  const ran = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
  // The initial values of fields belong to the constructor.
  return ran.map(({ functionName }) => functionName).filter((name) => !name.startsWith('<'));
}

function figuresOf(visited: Visited): string {
  const all = [...visited.values()].flat();
  const named = all.filter((name) => name !== '').length;
  return `${String(visited.size)} files, ${String(named)} functions, ${String(all.length - named)} callbacks`;
}

const { values } = parseArgs({ options: { help: { type: 'boolean' }, list: { type: 'string' } } });
const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
if (values.help) process.stdout.write(help);
else {
  for (const [name, work] of Object.entries(calls)) {
    const visited = await visitedBy(inspector, work);
    process.stdout.write(`${name.padEnd(8)} ${figuresOf(visited)}\n`);
    if (values.list !== name) continue;
    for (const [file, functions] of visited)
      process.stdout.write(`  ${file}: ${functions.filter(Boolean).join(' ')}\n`);
  }
}
inspector.disconnect();
await store.close();
