import { basename } from 'node:path';

import { codex } from './codex.ts';
import { kilo, opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { OFFICIAL, routeOfVariables, type Tool } from './tool.ts';

const anthropic = { name: 'anthropic', variable: 'ANTHROPIC_BASE_URL', base: OFFICIAL.anthropic } as const;
const openai = { name: 'openai', variable: 'OPENAI_BASE_URL', base: OFFICIAL.openai } as const;
const gemini = { name: 'gemini', variable: 'GOOGLE_GEMINI_BASE_URL', base: OFFICIAL.gemini } as const;

const claude: Tool = {
  commands: ['claude'],
  route: async (around) => routeOfVariables([anthropic], around),
};

const geminiCli: Tool = {
  commands: ['gemini'],
  route: async (around) => routeOfVariables([gemini], around),
};

const qwen: Tool = {
  commands: ['qwen'],
  route: async (around) =>
    routeOfVariables(
      [
        { ...anthropic, onlyWith: 'ANTHROPIC_API_KEY' },
        { ...openai, onlyWith: 'OPENAI_API_KEY' },
        { ...gemini, onlyWith: 'GEMINI_API_KEY' },
      ],
      around,
    ),
};

const moonshot = 'https://api.moonshot.ai/v1';

const kimi: Tool = {
  commands: ['kimi'],
  route: async (around) => {
    const kind = around.env['KIMI_MODEL_PROVIDER_TYPE'];
    const base = kind === 'anthropic' ? OFFICIAL.anthropic : kind === 'openai' ? OFFICIAL.openai : moonshot;
    return routeOfVariables(
      [
        { name: 'kimi', variable: 'KIMI_BASE_URL', base: moonshot },
        { name: 'model', variable: 'KIMI_MODEL_BASE_URL', base, onlyWith: 'KIMI_MODEL_NAME' },
      ],
      around,
    );
  },
};

/** Many programs read the variables of the official clients. */
const anyOther: Tool = {
  commands: [],
  route: async (around) => routeOfVariables([anthropic, openai, gemini], around),
};

const TOOLS: readonly Tool[] = [claude, codex, geminiCli, kilo, kimi, opencode, pi, qwen];

/** The commands whose settings are known. */
export const knownCommands: readonly string[] = TOOLS.flatMap(({ commands }) => commands);

/** The tool behind a command, which may be a path. */
export function toolOf(command: string): Tool {
  const name = basename(command).replace(/\.(?:exe|cmd|js|mjs)$/i, '');
  return TOOLS.find(({ commands }) => commands.includes(name)) ?? anyOther;
}
