import {
  FAULT_USAGE,
  FaultSpecError,
  type FaultRule,
  type Model,
  type Simulator,
  type SimulatorOptions,
  createSimulator,
  parseFaults,
  scripted,
  seeded,
} from '@rethread/simulator';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { exitCode } from '../doctor/job.ts';
import { unreadable } from '../files/source.ts';
import type { Shell } from '../shell.ts';
import { clientSettings } from '../simulate/environment.ts';
import { printVerdict } from '../simulate/print-verdict.ts';
import { readScript } from '../simulate/read-script.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { visibleJson } from '../terminal/visible.ts';
import { table } from '../terminal/wrap.ts';
import { Unreadable, reasonOf, systemCode } from '../unreadable.ts';

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly faults?: readonly FaultRule[];
  readonly seed?: number;
  readonly script?: string;
  readonly callTools?: true;
  readonly lenient?: true;
  readonly trust?: true;
  readonly key?: string;
  readonly json?: true;
  readonly color: boolean;
}

const defaultPort = 4141;
const defaultSeed = 1;
const largestPort = 65_535;

const wholeNumber =
  (most: number) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number <= most) return number;
    throw new InvalidArgumentError(`A whole number from 0 to ${most} is needed.`);
  };

function readKey(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('An empty key would keep every client out; leave --key away to accept any key.');
}

function readFaults(text: string): readonly FaultRule[] {
  try {
    return parseFaults(text);
  } catch (error) {
    if (error instanceof FaultSpecError) throw new InvalidArgumentError(`${error.message}.`);
    throw error;
  }
}

function epilogue(): string {
  const faults = FAULT_USAGE.map(({ usage, does }) => `  ${usage.padEnd(15)} ${does}`);
  return `
Faults (several with commas), each for all requests or with @ for some: 429:2@1, cut-events:3@2-5, 529@20%
${faults.join('\n')}
A request chooses for itself with the header x-simulate, for example x-simulate: cut-events:3 or x-simulate: none.

A script is a JSON list of replies, one for each accepted request: texts, { "parts": [...] } or { "failure": "..." }.
Ctrl-C ends the simulator. Exit codes: 0 ended by a signal, 2 could not start.`;
}

async function modelOf({ script, callTools, seed }: Flags): Promise<Model | undefined> {
  if (script === undefined) return callTools === true ? seeded(seed ?? defaultSeed) : undefined;
  try {
    return scripted(await readScript(script));
  } catch (error) {
    throw new Unreadable(`${script === '-' ? 'standard input' : script} ${unreadable(error).message}`);
  }
}

const sentences: Readonly<Record<string, (flags: Flags) => string>> = {
  EADDRINUSE: ({ port }) => `port ${port} is taken; choose another with --port, or any free one with --port 0`,
  EACCES: ({ port }) => `port ${port} may not be used; choose another with --port`,
  EADDRNOTAVAIL: ({ host }) => `${host} is no address of this machine`,
  ENOTFOUND: ({ host }) => `${host} is no address of this machine`,
};

async function start(flags: Flags, options: SimulatorOptions): Promise<Simulator> {
  try {
    return await createSimulator(options);
  } catch (error) {
    throw new Unreadable(sentences[systemCode(error) ?? '']?.(flags) ?? reasonOf(error));
  }
}

function printStart({ url, baseUrls }: Simulator, flags: Flags, output: Output): void {
  const settings = clientSettings({ baseUrls }, flags.key !== undefined);
  if (flags.json === true) {
    output.print(visibleJson({ event: 'listening', url, baseUrls, clients: settings }, 0));
    return;
  }
  output.print(`${output.tone('bold', 'Listening')} on ${output.tone('cyan', url)}. Ctrl-C ends it.`);
  const rows = settings.flatMap(({ client, variables }) =>
    Object.entries(variables).map(([name, value], index) => [index === 0 ? client : '', `export ${name}=${value}`]),
  );
  for (const line of table(rows, undefined)) output.print(`  ${line}`);
  if (flags.key !== undefined) output.print('  Every client has to send the key that was given with --key.');
  output.print('');
}

const isLoopback = (host: string): boolean => /^(127\.[\d.]+|::1|localhost)$/.test(host);

/** Waits for the signal that ends a simulator, and is then the only one to answer it. */
function untilStopped(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.removeAllListeners(signal);
      process.once(signal, () => done());
    }
  });
}

async function run(flags: Flags): Promise<void> {
  const output = createOutput(readTerminal(flags.color));
  const { port, host, faults, seed, key } = flags;
  const counts = { accepted: 0, refused: 0 };
  // Output that takes no more ends the command; a server of which nothing is heard would run on for ever.
  const mute = Promise.withResolvers<never>();
  mute.promise.catch(() => {});
  const simulator = await start(flags, {
    port,
    host,
    faults,
    seed,
    key,
    model: await modelOf(flags),
    strict: flags.lenient !== true,
    foreign: flags.trust === true ? 'trust' : 'refuse',
    keepVerdicts: 1,
    onVerdict: (verdict) => {
      counts[verdict.accepted ? 'accepted' : 'refused']++;
      try {
        if (flags.json === true) output.print(visibleJson({ event: 'verdict', ...verdict }, 0));
        else printVerdict(verdict, output);
      } catch (error) {
        mute.reject(error);
      }
    },
  });
  const stopped = untilStopped();
  try {
    printStart(simulator, flags, output);
    if (!isLoopback(host)) output.complain('rethread: others can reach this address; it is meant for tests only');
    await Promise.race([stopped, mute.promise]);
  } finally {
    await simulator.close();
  }
  if (flags.json !== true) output.print(`${counts.accepted} accepted, ${counts.refused} refused`);
}

/** `rethread simulate`: provider APIs on this machine that refuse what the real ones refuse. */
export function addSimulate(program: Command, shell: Shell): void {
  program
    .command('simulate')
    .summary('run strict provider APIs on this machine, and see every verdict')
    .description('Run provider APIs on this machine that refuse what the real ones refuse. Point your agent at them.')
    .option('--port <number>', 'the port; 0 takes any that is free', wholeNumber(largestPort), defaultPort)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--faults <list>', 'what goes wrong, and with which requests; see below', readFaults)
    .option(
      '--seed <number>',
      'decides all that comes by chance; with one given, ids repeat too',
      wholeNumber(Number.MAX_SAFE_INTEGER),
    )
    .option('--script <file>', 'answer with the replies in this file; - is standard input')
    .addOption(
      new Option('--call-tools', "let the model call the client's own tools, which the client will run").conflicts(
        'script',
      ),
    )
    .addOption(new Option('--strict', 'read a model whose name says nothing strictly (the default)'))
    .addOption(new Option('--lenient', 'read a model whose name says nothing leniently').conflicts('strict'))
    .option('--trust', 'take sealed reasoning and stored responses that did not come from here')
    .option('--key <key>', 'the only key that opens it; without it any key does', readKey)
    .option('--json', 'print one line of JSON for the start and for every verdict')
    .addHelpText('after', epilogue())
    .action(async (_: unknown, command: Command) => {
      await run(command.optsWithGlobals<Flags>());
      shell.exit(exitCode.healthy);
    });
}
