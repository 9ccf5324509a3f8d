import { join } from 'node:path';

import { readObject } from './json-with-comments.ts';
import { type Around, OFFICIAL, type Route, type Tool } from './tool.ts';

/** Where people go who sign in with their subscription. */
const SUBSCRIPTION = 'https://chatgpt.com/backend-api/codex';

/** Codex reads its provider from `config.toml`; an argument can replace any setting of it. */
export const codex: Tool = {
  commands: ['codex'],
  route: async (around) => {
    const home = around.env['CODEX_HOME'] || join(around.home, '.codex');
    const config = (await around.readText(join(home, 'config.toml'))) ?? '';
    const provider = setting(topOf(config), 'model_provider') ?? 'openai';
    if (provider === 'openai') {
      const base = setting(topOf(config), 'openai_base_url') ?? (await usualBase(home, around));
      return routeTo(base, 'openai_base_url');
    }
    const base = setting(sectionOf(config, provider), 'base_url');
    return base === undefined
      ? { bases: {}, redirect: () => ({}) }
      : routeTo(base, `model_providers.${provider}.base_url`);
  },
};

function routeTo(base: string, name: string): Route {
  return {
    bases: { codex: base },
    redirect: ({ codex: other = base }) => ({ args: ['-c', `${name}=${JSON.stringify(other)}`] }),
  };
}

async function usualBase(home: string, { env, readText }: Around): Promise<string> {
  if (env['OPENAI_BASE_URL']) return env['OPENAI_BASE_URL'];
  const login = readObject(await readText(join(home, 'auth.json')));
  const hasKey = typeof login?.['OPENAI_API_KEY'] === 'string' || Boolean(env['CODEX_API_KEY']);
  const isSubscribed = !hasKey && typeof login?.['tokens'] === 'object' && login['tokens'] !== null;
  return isSubscribed ? SUBSCRIPTION : OFFICIAL.openai;
}

/** The settings before the first section of a TOML file. */
function topOf(text: string): string {
  return text.split(/^\s*\[/m, 1)[0] ?? '';
}

function sectionOf(text: string, provider: string): string {
  const sections = text.split(/^\s*(?=\[)/m);
  const names = [`[model_providers.${provider}]`, `[model_providers."${provider}"]`];
  return sections.find((section) => names.some((name) => section.startsWith(name))) ?? '';
}

/** The value of a setting that is a string. */
function setting(text: string, name: string): string | undefined {
  return new RegExp(`^\\s*${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'm').exec(text)?.slice(1).find(Boolean);
}
