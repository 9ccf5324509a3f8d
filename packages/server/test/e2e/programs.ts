import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Package } from './install.ts';

/** Where one run of a program happens. */
export type Room = { readonly home: string; readonly work: string; readonly url: string };

type Call = readonly [tool: string, input: { readonly [name: string]: unknown }];

/** A real agent, with all that is needed to start it against the simulator. */
export type Program = {
  readonly package: Package;
  /** The folder of its command, below `node_modules`. */
  readonly bin: string;
  readonly setUp?: (room: Room) => void;
  readonly env?: (room: Room) => Readonly<Record<string, string>>;
  readonly run: (prompt: string) => readonly string[];
  readonly resume?: (prompt: string) => readonly string[];
  readonly shell: (command: string) => Call;
  readonly read: (path: string) => Call;
};

const key = 'sk-test';

function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
}

const codexConfig = ({ url }: Room): string => `model = "gpt-5.5"
model_provider = "sim"
model_reasoning_effort = "medium"
model_reasoning_summary = "detailed"
[model_providers.sim]
name = "sim"
base_url = "${url}/v1"
env_key = "SIM_KEY"
wire_api = "responses"
supports_websockets = false
request_max_retries = 1
stream_max_retries = 1
`;

const limit = { context: 200_000, output: 8_192 };
const opencodeConfig = ({ url }: Room): object => ({
  $schema: 'https://opencode.ai/config.json',
  autoupdate: false,
  share: 'disabled',
  model: 'anthropic/claude-sonnet-4-5',
  small_model: 'anthropic/claude-sonnet-4-5',
  permission: 'allow',
  provider: {
    anthropic: {
      options: { baseURL: `${url}/v1`, apiKey: key },
      models: {
        'claude-sonnet-4-5': {
          name: 's',
          limit,
          tool_call: true,
          reasoning: true,
          options: { thinking: { type: 'enabled', budgetTokens: 2_000 } },
        },
      },
    },
  },
});

const piModels = ({ url }: Room): object => ({
  providers: {
    sim: {
      baseUrl: url,
      apiKey: key,
      api: 'anthropic-messages',
      models: [
        {
          id: 'claude-sonnet-4-5',
          name: 's',
          reasoning: true,
          input: ['text'],
          contextWindow: 200_000,
          maxTokens: 8_192,
        },
      ],
    },
  },
});

const clineSettings = ({ url }: Room): object => ({
  version: 1,
  lastUsedProvider: 'anthropic',
  modes: {},
  providers: {
    anthropic: {
      settings: { provider: 'anthropic', apiKey: key, model: 'claude-sonnet-4-5', baseUrl: `${url}/v1` },
      updatedAt: '2026-11-18T21:00:45.301Z',
      tokenSource: 'manual',
    },
  },
});

export const programs = {
  gemini: {
    package: { name: '@google/gemini-cli', version: '0.61.0' },
    bin: '.bin',
    setUp: ({ home }) =>
      write(join(home, '.gemini/settings.json'), {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    env: ({ url }) => ({ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url }),
    run: (prompt) => ['gemini', '--skip-trust', '-y', '-m', 'gemini-3-pro-preview', '-p', prompt],
    resume: (prompt) => [
      'gemini',
      '--skip-trust',
      '-y',
      '-m',
      'gemini-3-pro-preview',
      '--resume',
      'latest',
      '-p',
      prompt,
    ],
    shell: (command) => ['run_shell_command', { command, description: 'run' }],
    read: (file_path) => ['read_file', { file_path }],
  },
  codex: {
    package: { name: '@openai/codex', version: '0.169.0' },
    bin: '.bin',
    setUp: (room) => write(join(room.home, '.codex/config.toml'), codexConfig(room)),
    env: () => ({ SIM_KEY: key }),
    run: (prompt) => ['codex', 'exec', '--dangerously-bypass-approvals-and-sandbox', prompt],
    resume: (prompt) => ['codex', 'exec', '--dangerously-bypass-approvals-and-sandbox', 'resume', '--last', prompt],
    shell: (cmd) => ['exec_command', { cmd, yield_time_ms: 30_000 }],
    read: (path) => ['exec_command', { cmd: `cat ${path}`, yield_time_ms: 5_000 }],
  },
  opencode: {
    package: { name: 'opencode-linux-x64', version: '1.18.33' },
    bin: 'opencode-linux-x64/bin',
    setUp: (room) => write(join(room.home, '.config/opencode/opencode.json'), opencodeConfig(room)),
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }),
    run: (prompt) => ['opencode', 'run', prompt],
    resume: (prompt) => ['opencode', 'run', '-c', prompt],
    shell: (command) => ['bash', { command, description: 'run', timeout: 120_000 }],
    read: (filePath) => ['read', { filePath }],
  },
  kilo: {
    package: { name: '@kilocode/cli-linux-x64', version: '7.7.7' },
    bin: '@kilocode/cli-linux-x64/bin',
    setUp: (room) => write(join(room.home, '.config/kilo/kilo.json'), opencodeConfig(room)),
    env: () => ({ KILO_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', KILO_DISABLE_AUTOUPDATE: '1' }),
    run: (prompt) => ['kilo', 'run', '--auto', prompt],
    resume: (prompt) => ['kilo', 'run', '--auto', '-c', prompt],
    shell: (command) => ['bash', { command, description: 'run', timeout: 120_000 }],
    read: (filePath) => ['read', { filePath }],
  },
  qwen: {
    package: { name: '@qwen-code/qwen-code', version: '0.24.4' },
    bin: '.bin',
    setUp: ({ home }) =>
      write(join(home, '.qwen/settings.json'), {
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      }),
    env: ({ url }) => ({
      QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_MODEL: 'claude-sonnet-4-5',
    }),
    run: (prompt) => ['qwen', '-y', '--auth-type', 'anthropic', '-p', prompt],
    resume: (prompt) => ['qwen', '-y', '--auth-type', 'anthropic', '-c', '-p', prompt],
    shell: (command) => ['run_shell_command', { command, is_background: false, timeout: 120_000 }],
    read: (file_path) => ['read_file', { file_path }],
  },
  kimi: {
    package: { name: '@moonshot-ai/kimi-code', version: '2.1.0' },
    bin: '.bin',
    env: ({ url }) => ({
      KIMI_MODEL_NAME: 'claude-sonnet-4-5',
      KIMI_MODEL_API_KEY: key,
      KIMI_MODEL_PROVIDER_TYPE: 'anthropic',
      KIMI_MODEL_BASE_URL: url,
      KIMI_CODE_NO_AUTO_UPDATE: '1',
    }),
    run: (prompt) => ['kimi', '-p', prompt],
    resume: (prompt) => ['kimi', '-c', '-p', prompt],
    shell: (command) => ['Bash', { command, timeout: 120 }],
    read: (path) => ['Read', { path }],
  },
  pi: {
    package: { name: '@earendil-works/pi-coding-agent', version: '0.87.1' },
    bin: '.bin',
    setUp: (room) => write(join(room.home, '.pi/agent/models.json'), piModels(room)),
    env: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' }),
    run: (prompt) => ['pi', '--model', 'sim/claude-sonnet-4-5', '--thinking', 'low', '-p', prompt],
    resume: (prompt) => ['pi', '--model', 'sim/claude-sonnet-4-5', '--thinking', 'low', '-c', '-p', prompt],
    shell: (command) => ['bash', { command, timeout: 120 }],
    read: (path) => ['read', { path }],
  },
  cline: {
    package: { name: 'cline', version: '3.0.65' },
    bin: '.bin',
    setUp: (room) => write(join(room.home, '.cline/data/settings/providers.json'), clineSettings(room)),
    env: () => ({ CLINE_TELEMETRY_DISABLED: '1' }),
    run: (prompt) => ['cline', '-P', 'anthropic', '-m', 'claude-sonnet-4-5', '--thinking', 'low', prompt],
    shell: (command) => ['run_commands', { commands: [command] }],
    read: (path) => ['read_files', { files: [{ path }] }],
  },
} as const satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;
