import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { objectAt, readObject } from './json-with-comments.ts';
import { OFFICIAL, type Tool } from './tool.ts';

const BUILT_IN = {
  anthropic: OFFICIAL.anthropic,
  openai: OFFICIAL.openai,
  google: `${OFFICIAL.gemini}/v1beta`,
} as const;

/** pi has an extension replace the addresses of its providers; models and keys stay. */
export const pi: Tool = {
  commands: ['pi'],
  route: async ({ env, home, readText }) => {
    const folder = env['PI_CODING_AGENT_DIR'] || join(home, '.pi/agent');
    const providers: { [id: string]: string } = { ...BUILT_IN };
    const configured = objectAt(readObject(await readText(join(folder, 'models.json'))), 'providers');
    for (const id of Object.keys(configured)) {
      const base = objectAt(configured, id)['baseUrl'];
      if (typeof base === 'string' && /^https?:/.test(base)) providers[id] = base;
    }
    const ids = Object.keys(providers);
    const nameOf = (id: string): string => (/^[a-z\d][\w-]*$/i.test(id) ? id : `provider-${ids.indexOf(id)}`);
    return {
      bases: Object.fromEntries(ids.map((id) => [nameOf(id), providers[id] ?? ''])),
      redirect: async (bases, temporary) => {
        const extension = join(temporary, 'rethread-proxy.js');
        const lines = ids.map((id) => {
          const settings = JSON.stringify({ baseUrl: bases[nameOf(id)] });
          return `  pi.registerProvider(${JSON.stringify(id)}, ${settings});`;
        });
        await writeFile(extension, `export default function (pi) {\n${lines.join('\n')}\n}\n`);
        return { args: ['--extension', extension] };
      },
    };
  },
};
