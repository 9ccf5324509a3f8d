import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import process from 'node:process';

/** The system on which sessions are looked for. Tests describe one that they do not run on. */
export type System = {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly join: (...parts: string[]) => string;
};

/** A folder, and which files below it may hold sessions: `*` stands for a name or a part of it, `**` for any depth. */
export type Root = { readonly folder: string; readonly files: string };

type Described = Pick<System, 'platform' | 'home' | 'env'>;

export function describeSystem({ platform, home, env }: Described = thisSystem()): System {
  const paths = platform === 'win32' ? win32 : posix;
  return { platform, home, env, join: (...parts) => paths.join(...parts) };
}

const thisSystem = (): Described => ({ platform: process.platform, home: homedir(), env: process.env });

/** The value of the first of some environment variables that is set. */
export function firstSet({ env }: System, ...names: readonly string[]): string | undefined {
  return names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
}

/** Where programs keep data by the rules of XDG: many follow them on every system. */
export const dataHome = (system: System): string =>
  firstSet(system, 'XDG_DATA_HOME') ?? system.join(system.home, '.local', 'share');

/** Editors that run the extensions of VS Code, by the folder that they keep their data in. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf', 'Trae', 'Antigravity', 'Kiro'];

/** The folders of an extension in every editor that may run it, on this system or as a server for another one. */
export function editorStorage(system: System, extension: string): string[] {
  const { platform, home, join } = system;
  const config =
    platform === 'win32'
      ? (firstSet(system, 'APPDATA') ?? join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : (firstSet(system, 'XDG_CONFIG_HOME') ?? join(home, '.config'));
  const servers = ['.vscode-server', '.cursor-server', '.windsurf-server'].map((name) => join(home, name, 'data'));
  return [...EDITORS.map((name) => join(config, name)), ...servers].map((folder) =>
    join(folder, 'User', 'globalStorage', extension),
  );
}
