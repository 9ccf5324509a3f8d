import type { Inspector } from '@rethread/inspector';
import type { Command } from 'commander';

import type { Shell } from '../shell.ts';
import { type Named, sessionsNamed } from '../sessions/session-argument.ts';
import { sessionHelp } from '../sessions/session-help.ts';
import { createOutput, readTerminal, type Output } from '../terminal/output.ts';
import { visible } from '../terminal/visible.ts';
import { Unreadable } from '../unreadable.ts';
import { version } from '../version.ts';

interface Flags {
  readonly color: boolean;
  readonly port?: string;
  readonly open: boolean;
}

/** `rethread inspect`: the page with every session on this machine. */
export function addInspect(program: Command, shell: Shell): void {
  program
    .command('inspect')
    .summary('look at sessions in a browser, and see what broke')
    .description(
      'Serve a page on this machine that shows every session, what the next request contains, and what broke.',
    )
    .argument('[session]', `session to open first: ${sessionHelp}`)
    .option('--port <number>', 'port on loopback (default: any that is free)')
    .option('--no-open', 'print the address only, and start no browser')
    .action(async (name: string | undefined, _: unknown, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const output = createOutput(readTerminal(flags.color));
      const inspector = await start(name, flags);
      output.print(inspector.url);
      output.complain('The address works on this machine only and gives access: keep it secret. Press Ctrl-C to stop.');
      if (flags.open) await openBrowser(inspector.url, output);
      await interrupted();
      await inspector.close();
      shell.exit(0);
    });
}

async function start(name: string | undefined, { port }: Flags): Promise<Inspector> {
  // The server and its readers are loaded by this command only.
  const { fileRef, startInspector } = await import('@rethread/inspector');
  const named = name === undefined ? undefined : await onlySession(name);
  const first = named === undefined ? undefined : await fileRef(named.path, named.id);
  return startInspector({
    version,
    ...(port === undefined ? {} : { port: portIn(port) }),
    ...(first === undefined ? {} : { first }),
  });
}

async function onlySession(name: string): Promise<Named> {
  const [first, ...others] = await sessionsNamed(name);
  if (first !== undefined && others.length === 0) return first;
  throw new Unreadable(`${visible(name)} names ${others.length === 0 ? 'no session' : 'several sessions'}`);
}

function portIn(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Unreadable('--port takes a number up to 65535');
  return port;
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
};

/** Opens the address in the browser of a desktop session. */
async function openBrowser(url: string, output: Output): Promise<void> {
  const opener = OPENERS[process.platform];
  const hasScreen = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  if (opener === undefined || !hasScreen || !process.stdout.isTTY) return;
  const { spawn } = await import('node:child_process');
  const [command, ...args] = opener;
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () => output.complain('No browser could be started: open the address yourself.'));
  child.unref();
}

const interrupted = (): Promise<void> =>
  new Promise((resolve) => {
    // The handler that ends any other command at once would leave the readers running.
    process.removeAllListeners('SIGINT');
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
