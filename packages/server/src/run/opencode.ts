import { join } from 'node:path';

import { objectAt, readObject } from './json-with-comments.ts';
import { type Around, type Bases, OFFICIAL, type Redirection, type Route, type Tool } from './tool.ts';

/** Providers that need no address in the configuration, and what makes them usable. */
const BUILT_IN: Readonly<{ [id: string]: { readonly base: string; readonly key: string } }> = {
  anthropic: { base: `${OFFICIAL.anthropic}/v1`, key: 'ANTHROPIC_API_KEY' },
  openai: { base: OFFICIAL.openai, key: 'OPENAI_API_KEY' },
  google: { base: `${OFFICIAL.gemini}/v1beta`, key: 'GOOGLE_GENERATIVE_AI_API_KEY' },
};

/** opencode and its relatives take more configuration from a variable, which comes before that of the files. */
function relative(command: string, variable: string): Tool {
  return {
    commands: [command],
    route: async (around) => routeOf(await providersOf(command, around), around.env[variable], variable),
  };
}

export const opencode: Tool = relative('opencode', 'OPENCODE_CONFIG_CONTENT');
export const kilo: Tool = relative('kilo', 'KILO_CONFIG_CONTENT');

function routeOf(providers: ReadonlyMap<string, string>, content: string | undefined, variable: string): Route {
  const ids = [...providers.keys()];
  const nameOf = (id: string): string => (/^[a-z\d][\w-]*$/i.test(id) ? id : `provider-${ids.indexOf(id)}`);
  const redirect = (bases: Bases): Redirection => {
    const given = readObject(content) ?? {};
    const provider: { [id: string]: unknown } = { ...objectAt(given, 'provider') };
    for (const id of ids) {
      const own = objectAt(provider, id);
      provider[id] = { ...own, options: { ...objectAt(own, 'options'), baseURL: bases[nameOf(id)] } };
    }
    return { env: { [variable]: JSON.stringify({ ...given, provider }) } };
  };
  return { bases: Object.fromEntries([...providers].map(([id, base]) => [nameOf(id), base])), redirect };
}

/** The address of every provider that is configured or has a key. */
async function providersOf(command: string, around: Around): Promise<Map<string, string>> {
  const { env, home, readText } = around;
  const found = new Map<string, string>();
  const login = readObject(await readText(join(home, '.local/share', command, 'auth.json')));
  for (const [id, { base, key }] of Object.entries(BUILT_IN)) {
    // Who signs in with a subscription has another address, which only the tool knows.
    if (env[key] || objectAt(login, id)['type'] === 'api') found.set(id, base);
  }
  for (const path of configsOf(command, around)) {
    for (const [id, provider] of Object.entries(objectAt(readObject(await readText(path)), 'provider'))) {
      const base = objectAt(provider, 'options')['baseURL'] ?? found.get(id) ?? BUILT_IN[id]?.base;
      if (typeof base === 'string' && /^https?:/.test(base)) found.set(id, base);
    }
  }
  return found;
}

/** Configuration files, the one that counts most last. */
function configsOf(command: string, { env, home, cwd }: Around): string[] {
  const global = join(env['XDG_CONFIG_HOME'] || join(home, '.config'), command);
  const named = env[`${command.toUpperCase()}_CONFIG`];
  const pair = (folder: string): string[] => [join(folder, `${command}.json`), join(folder, `${command}.jsonc`)];
  return [...pair(global), ...(named ? [named] : []), ...pair(cwd)];
}
