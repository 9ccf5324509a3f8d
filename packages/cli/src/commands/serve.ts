import { readFileSync } from 'node:fs';

import type { Access, HttpApi, Scope } from '@rethread/server';
import { StoreError, open } from '@rethread/store';
import { type Command, InvalidArgumentError } from 'commander';

import { exitCode } from '../doctor/job.ts';
import { untilStopped } from '../proxy/until-stopped.ts';
import type { Shell } from '../shell.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { visible, visibleJson } from '../terminal/visible.ts';
import { Unreadable, reasonOf } from '../unreadable.ts';

interface Flags {
  readonly store?: string;
  readonly port: number;
  readonly host: string;
  readonly tokens?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly hostName?: readonly string[];
  readonly openapi?: true;
  readonly json?: true;
  readonly color: boolean;
}

const defaultPort = 4143;
const usualStore = 'file:./sessions';
const scopes: readonly string[] = ['judge', 'read', 'write'] satisfies readonly Scope[];

const epilogue = `
The store is named by --store or by the variable RETHREAD_STORE; without either it is ${usualStore}.
The file of --tokens is a JSON list: [{ "token": "…", "tenant": "acme", "scopes": ["judge", "read"] }].
A token without a tenant sees all sessions; without scopes it may do everything. /openapi.json describes the service.`;

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('Use a port from 0 to 65535.');
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Unreadable(`${path}: ${reasonOf(error)}`);
  }
}

function isAccess(value: unknown): value is Access {
  if (typeof value !== 'object' || value === null || !('token' in value) || typeof value.token !== 'string')
    return false;
  if ('tenant' in value && typeof value.tenant !== 'string') return false;
  if (!('scopes' in value)) return true;
  return Array.isArray(value.scopes) && value.scopes.every((each) => scopes.includes(String(each)));
}

function readTokens(path: string): readonly Access[] {
  const text = textOf(path);
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new Unreadable(`${path} is not JSON`);
  }
  if (!Array.isArray(list) || list.length === 0 || !list.every(isAccess)) {
    throw new Unreadable(`${path} must be a list of { "token": …, "tenant": …, "scopes": … }`);
  }
  return list;
}

function tlsOf({ tlsCert, tlsKey }: Flags): { tls?: { cert: string; key: string } } {
  return tlsCert === undefined || tlsKey === undefined ? {} : { tls: { cert: textOf(tlsCert), key: textOf(tlsKey) } };
}

function printStart({ url, document }: HttpApi, flags: Flags, output: Output): void {
  if (flags.openapi === true) output.print(visibleJson(document, 2));
  else if (flags.json === true) output.print(visibleJson({ event: 'listening', url }, 0));
  else output.print(`${output.tone('bold', 'Serving')} on ${output.tone('cyan', url)}. Ctrl-C ends it.`);
}

async function run(flags: Flags): Promise<void> {
  const output = createOutput(readTerminal(flags.color));
  const { createHttpApi } = await import('@rethread/server');
  const store = await open(flags.store ?? (process.env['RETHREAD_STORE'] || usualStore));
  try {
    const service = await createHttpApi({
      store,
      host: flags.host,
      port: flags.openapi === true ? 0 : flags.port,
      ...(flags.tokens !== undefined && { access: readTokens(flags.tokens) }),
      ...tlsOf(flags),
      ...(flags.hostName !== undefined && { hostNames: flags.hostName }),
      onError: (error) => output.complain(`rethread: ${visible(reasonOf(error))}`),
    });
    const stopped = untilStopped();
    printStart(service, flags, output);
    if (flags.openapi !== true) await stopped;
    await service.close();
  } finally {
    await store.close();
  }
}

/** `rethread serve`: the library and a store over HTTP. */
export function addServe(program: Command, shell: Shell): void {
  program
    .command('serve')
    .summary('serve check, repair, convert and a store over HTTP')
    .description('Serve the library and a store over HTTP, for programs in any language.')
    .option('--store <url>', 'the store')
    .option('--port <number>', 'the port; 0 takes any that is free', readPort, defaultPort)
    .option('--host <address>', 'the address to listen on; others than loopback need tokens and TLS files', '127.0.0.1')
    .option('--tokens <file>', 'who may use the service, and for what')
    .option('--tls-cert <file>', 'the certificate, in PEM form')
    .option('--tls-key <file>', 'the key of the certificate, in PEM form')
    .option('--host-name <name...>', 'names under which clients may reach the service')
    .option('--openapi', 'print the OpenAPI document, and end')
    .option('--json', 'print one line of JSON for the start')
    .addHelpText('after', epilogue)
    .action(async (_: unknown, command: Command) => {
      try {
        await run(command.optsWithGlobals<Flags>());
      } catch (error) {
        if (error instanceof Unreadable) throw error;
        throw new Unreadable(StoreError.is(error) || error instanceof Error ? error.message : reasonOf(error));
      }
      shell.exit(exitCode.healthy);
    });
}
