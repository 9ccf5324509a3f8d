import { readFileSync } from 'node:fs';

import type { ExchangeEntry, Mode, ProxyOptions, RepairingProxy, Statistics } from '@rethread/server';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { exitCode } from '../doctor/job.ts';
import { formatExchange } from '../proxy/print-exchange.ts';
import { untilStopped } from '../proxy/until-stopped.ts';
import type { Shell } from '../shell.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { visible, visibleJson } from '../terminal/visible.ts';
import { table } from '../terminal/wrap.ts';
import { Unreadable, reasonOf } from '../unreadable.ts';

interface Flags {
  readonly upstream?: Readonly<Record<string, string>>;
  readonly mode: Mode;
  readonly port: number;
  readonly host: string;
  readonly token?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly hostName?: readonly string[];
  readonly http2?: true;
  readonly log: boolean;
  readonly store?: string;
  readonly json?: true;
  readonly color: boolean;
}

const defaultPort = 4142;
const graceMs = 5_000;

/** The official providers, each with what its clients take as their base URL. */
const official: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com',
  gemini: 'https://generativelanguage.googleapis.com',
};

function readUpstream(text: string, previous: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name = '', url = ''] = /^(?:([A-Za-z0-9][\w-]*)=)?(https?:\/\/.*)$/.exec(text) ?? [];
  if (url === '') throw new InvalidArgumentError('Use an address, or name=address: local=http://127.0.0.1:8080.');
  return { ...previous, [name]: url };
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('Use a port from 0 to 65535.');
}

function readFileOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Unreadable(`${path}: ${reasonOf(error)}`);
  }
}

function optionsOf(flags: Flags, onExchange: (entry: ExchangeEntry) => void): ProxyOptions {
  const { mode, host, port, token, tlsCert, tlsKey, hostName, http2 = false } = flags;
  const upstreams = Object.entries(flags.upstream ?? official).map(([name, url]) => [name, { url, http2 }] as const);
  const tls =
    tlsCert === undefined || tlsKey === undefined ? undefined : { cert: readFileOf(tlsCert), key: readFileOf(tlsKey) };
  return {
    upstreams: Object.fromEntries(upstreams),
    mode,
    host,
    port,
    onExchange,
    ...(flags.log ? {} : { keep: 0 }),
    ...(token !== undefined && { token }),
    ...(tls !== undefined && { tls }),
    ...(hostName !== undefined && { hostNames: hostName }),
  };
}

/** What to set for the clients of each provider. */
function settingsOf(proxy: RepairingProxy, names: readonly string[]): string[][] {
  const base = (name: string): string => proxy.urlOf(name);
  const known: Readonly<Record<string, (name: string) => string>> = {
    anthropic: (name) => `export ANTHROPIC_BASE_URL=${base(name)}`,
    openai: (name) => `export OPENAI_BASE_URL=${base(name)}/v1`,
    gemini: (name) => `export GOOGLE_GEMINI_BASE_URL=${base(name)}`,
  };
  return names.map((name) => [name === '' ? 'all' : name, known[name]?.(name) ?? base(name)]);
}

function printStart(proxy: RepairingProxy, flags: Flags, output: Output): void {
  const names = Object.keys(flags.upstream ?? official);
  if (flags.json === true) {
    const bases = Object.fromEntries(names.map((name) => [name, proxy.urlOf(name)]));
    output.print(visibleJson({ event: 'listening', url: proxy.url, mode: flags.mode, bases }, 0));
    return;
  }
  const does = flags.mode === 'mend' ? 'Repairing' : 'Observing';
  output.print(`${output.tone('bold', does)} requests on ${output.tone('cyan', proxy.url)}. Ctrl-C ends it.`);
  for (const line of table(settingsOf(proxy, names), undefined)) output.print(`  ${line}`);
  output.print('');
}

async function start(flags: Flags, onExchange: (entry: ExchangeEntry) => void): Promise<RepairingProxy> {
  const { createProxy } = await import('@rethread/server');
  try {
    return await createProxy(optionsOf(flags, onExchange));
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(reasonOf(error), { cause: error });
  }
}

/** Where exchanges are written down beside the screen, and what ends that. */
type Written = { readonly add: (entry: ExchangeEntry) => void; readonly close: () => Promise<void> };

async function openLog({ store: url }: Flags, output: Output): Promise<Written> {
  if (url === undefined) return { add: () => undefined, close: async () => undefined };
  const [{ open }, { openStoreLog }] = await Promise.all([import('@rethread/store'), import('@rethread/server')]);
  const store = await open(url);
  const onError = (error: unknown): void => output.complain(`rethread: the log ends: ${visible(reasonOf(error))}`);
  const log = openStoreLog(store, { onError });
  return {
    add: log.add,
    close: async () => {
      await log.close();
      await store.close();
    },
  };
}

async function run(flags: Flags): Promise<void> {
  const output = createOutput(readTerminal(flags.color));
  // Output that takes no more ends the command; a proxy of which nothing is heard would run on for ever.
  const mute = Promise.withResolvers<never>();
  mute.promise.catch(() => {});
  const written = await openLog(flags, output);
  const proxy = await start(flags, (entry) => {
    written.add(entry);
    try {
      if (flags.json === true) output.print(visibleJson({ event: 'exchange', ...entry }, 0));
      else for (const line of formatExchange(entry, output)) output.print(line);
    } catch (error) {
      mute.reject(error);
    }
  });
  const stopped = untilStopped();
  try {
    printStart(proxy, flags, output);
    await Promise.race([stopped, mute.promise]);
  } finally {
    await proxy.close(graceMs);
    await written.close();
  }
  if (flags.json !== true) output.print(summaryOf(proxy.statistics()));
}

function summaryOf({ exchanges, endings }: Statistics): string {
  const repaired = (endings.repaired ?? 0) + (endings['repaired-after-refusal'] ?? 0);
  return `${exchanges} requests, ${repaired} repaired, ${endings.failed ?? 0} failed`;
}

async function printStatistics(url: string, output: Output): Promise<number> {
  const page = new URL('/.rethread/stats', url);
  try {
    const answer = await fetch(page);
    if (!answer.ok) throw new Unreadable(`${url} answers with ${answer.status}`);
    output.print(visibleJson(await answer.json(), 2));
    return exitCode.healthy;
  } catch (error) {
    const reason = error instanceof Unreadable ? error.message : `no proxy answers at ${url}`;
    output.complain(`rethread: ${visible(reason)}`);
    return exitCode.unreadable;
  }
}

/** `rethread proxy`: repairs histories between any client and any provider. */
export function addProxy(program: Command, shell: Shell): void {
  const proxy = program
    .command('proxy')
    .summary('repair requests between your agent and its provider')
    .description('Pass requests to a provider, and repair the histories that it would refuse.')
    .option(
      '--upstream <address>',
      'a provider, as address or name=address; repeatable (default: the official ones)',
      readUpstream,
    )
    .addOption(
      new Option('--mode <mode>', 'mend repairs, observe only reports').choices(['mend', 'observe']).default('mend'),
    )
    .option('--port <number>', 'the port; 0 takes any that is free', readPort, defaultPort)
    .option(
      '--host <address>',
      'the address to listen on; others than loopback need a token and TLS files',
      '127.0.0.1',
    )
    .option('--token <text>', 'what clients must send in the header x-rethread-token')
    .option('--tls-cert <file>', 'the certificate, in PEM form')
    .option('--tls-key <file>', 'the key of the certificate, in PEM form')
    .option('--host-name <name...>', 'names under which clients may reach the proxy')
    .option('--http2', 'speak HTTP/2 with the providers')
    .option('--store <url>', 'write the log of exchanges to this store too')
    .option('--no-log', 'keep no log of exchanges')
    .option('--json', 'print one line of JSON for the start and for every exchange')
    .action(async (_: unknown, command: Command) => {
      await run(command.optsWithGlobals<Flags>());
      shell.exit(exitCode.healthy);
    });
  proxy
    .command('stats')
    .description('Print what a running proxy has done so far, as JSON.')
    .argument('[url]', 'the address of the proxy', `http://127.0.0.1:${defaultPort}`)
    .action(async (url: string, _: unknown, command: Command) => {
      shell.exit(await printStatistics(url, createOutput(readTerminal(command.optsWithGlobals<Flags>().color))));
    });
}
