import type { ModelPort } from '@rethread/agent';

import { Unreadable, systemCode } from '../unreadable.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A way to ask models: the package that it needs, and what that package reads from the environment. */
interface Way {
  readonly sdk: string;
  readonly keys: readonly string[];
  readonly base: string;
  /** What other clients want at the end of that address, and this one adds by itself. */
  readonly version?: string;
  readonly usual: string;
  /** Models whose name alone says that they are asked this way. */
  readonly names: RegExp;
  readonly load: (options: {
    readonly model: string;
    readonly apiKey?: string;
    readonly baseURL?: string;
  }) => Promise<ModelPort>;
}

const openai = { sdk: 'openai', keys: ['OPENAI_API_KEY'], base: 'OPENAI_BASE_URL', usual: 'gpt-5' } as const;

/** The SDKs are loaded when a model is asked, and by nothing else. */
const ways: Readonly<Record<string, Way>> = {
  anthropic: {
    sdk: '@anthropic-ai/sdk',
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    base: 'ANTHROPIC_BASE_URL',
    version: '/v1',
    usual: 'claude-sonnet-5',
    names: /^claude/,
    load: async (options) => (await import('@rethread/agent/anthropic')).anthropic(options),
  },
  openai: {
    ...openai,
    names: /^(?:gpt-|o\d|codex)/,
    load: async (options) => (await import('@rethread/agent/openai')).openaiResponses(options),
  },
  'openai-chat': {
    ...openai,
    names: /^$/,
    load: async (options) => (await import('@rethread/agent/openai')).openaiChat(options),
  },
};

const isSet = (env: Env, name: string): boolean => (env[name] ?? '') !== '';

const isConfigured = (env: Env, { keys, base }: Way): boolean => [...keys, base].some((name) => isSet(env, name));

/** The way and the model that a name stands for; the name is written out, so that it can be noted in a session. */
export function readModel(name: string | undefined, env: Env): { readonly name: string; readonly way: Way } {
  const wanted = name ?? (env['RETHREAD_MODEL'] || undefined);
  if (wanted === undefined) {
    const found = Object.entries(ways).find(([, way]) => isConfigured(env, way));
    if (found !== undefined) return { name: `${found[0]}/${found[1].usual}`, way: found[1] };
    const keys = Object.values(ways).map(({ keys: [key] }) => key);
    throw new Unreadable(
      `no key for any model: set ${[...new Set(keys)].join(' or ')}, or run rethread simulate and set what it prints`,
    );
  }
  const [, prefix = '', rest = ''] = /^([^/]*)\/(.+)$/s.exec(wanted) ?? [];
  const chosen = Object.hasOwn(ways, prefix) ? ways[prefix] : undefined;
  if (chosen !== undefined && rest !== '') return { name: wanted, way: chosen };
  const told = Object.entries(ways).find(([, { names }]) => names.test(wanted));
  if (told !== undefined) return { name: `${told[0]}/${wanted}`, way: told[1] };
  const forms = Object.keys(ways).map((each) => `${each}/…`);
  throw new Unreadable(`nobody knows how to ask ${JSON.stringify(wanted)}: write it as ${forms.join(', ')}`);
}

const isLoopback = (address: string | undefined): boolean =>
  URL.canParse(address ?? '') && /^(?:127\.[\d.]+|\[::1\]|localhost)$/.test(new URL(address ?? '').hostname);

/** Whoever listens on this machine gets a key that opens nothing else. */
function standInKey(env: Env, { keys, base }: Way): { readonly apiKey?: string } {
  if (keys.some((name) => isSet(env, name))) return {};
  if (isLoopback(env[base])) return { apiKey: 'any-key' };
  throw new Unreadable(`there is no key: set ${keys[0]}, or run rethread simulate and set what it prints`);
}

/** The address of the API, where the one in the environment is meant for another client. */
function addressOf(env: Env, { base, version }: Way): { readonly baseURL?: string } {
  const address = (env[base] ?? '').replace(/\/+$/, '');
  if (version === undefined || !address.endsWith(version)) return {};
  return { baseURL: address.slice(0, -version.length) };
}

/** The port to the model, or one sentence about what is missing. */
export async function portTo({ name, way }: ReturnType<typeof readModel>, env: Env): Promise<ModelPort> {
  const settings = { ...standInKey(env, way), ...addressOf(env, way) };
  try {
    return await way.load({ model: name.slice(name.indexOf('/') + 1), ...settings });
  } catch (error) {
    if (systemCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Unreadable(`${name} needs the package ${way.sdk} beside rethread: npm i ${way.sdk}`);
  }
}
