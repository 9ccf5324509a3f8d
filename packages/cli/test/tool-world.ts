import { cpSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Ended, type RunOptions, run } from './command.ts';

const fixtures = fileURLToPath(new URL('../../formats/src/', import.meta.url));

/** Where each tool keeps its sessions below a home folder, and the session of it that ships with the readers. */
const places = {
  'claude-code': ['claude-code/fixtures/parallel-calls.jsonl', '.claude/projects/-project/5e551011.jsonl'],
  codex: [
    'codex/fixtures/rollout-2026-11-01T10-00-00-01990000-0000-7000-8000-000000000001.jsonl',
    '.codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-01990000-0000-7000-8000-000000000001.jsonl',
  ],
  gemini: [
    'gemini/fixtures/session-2026-11-01T10-00-0a1b2c3d.jsonl',
    '.gemini/tmp/project/chats/session-2026-11-01T10-00-0a1b2c3d.jsonl',
  ],
  pi: ['pi/fixtures/session.jsonl', '.pi/agent/sessions/--project--/session.jsonl'],
} as const;

export type KnownTool = keyof typeof places;

export const fixtureOf = (tool: KnownTool): string => join(fixtures, places[tool][0]);

/** A home folder in which tools have left sessions, and a folder of a project. */
export interface World {
  readonly home: string;
  readonly project: string;
  /** Puts the session of a tool where the tool keeps it, with other content where that is given. */
  readonly leave: (tool: KnownTool, content?: string | Uint8Array) => string;
  /** Puts any file below the home folder; it was written long ago. */
  readonly write: (path: string, content: string | Uint8Array) => string;
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ended>;
}

/** Sessions that were written to just now are told of as running; these were not. */
const longAgo = new Date('2026-11-01T10:00:00Z');

export function createWorld(parent: string): World {
  const home = mkdtempSync(join(parent, 'home-'));
  const project = join(home, 'project');
  mkdirSync(project);
  const put = (path: string): string => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    return join(home, path);
  };
  const env = { HOME: home, XDG_CACHE_HOME: '', XDG_CONFIG_HOME: '', XDG_DATA_HOME: '', RETHREAD_CACHE: '' };
  const write = (path: string, content: string | Uint8Array): string => {
    const at = put(path);
    writeFileSync(at, content);
    utimesSync(at, longAgo, longAgo);
    return at;
  };
  return {
    home,
    project,
    write,
    leave: (tool, content) => {
      const [from, to] = places[tool];
      if (content !== undefined) return write(to, content);
      cpSync(join(fixtures, from), put(to));
      utimesSync(join(home, to), longAgo, longAgo);
      return join(home, to);
    },
    run: (args, options = {}) => run(args, { cwd: project, ...options, env: { ...env, ...options.env } }),
  };
}

/** Records of Claude Code: one turn for each pair of a prompt and an answer. */
export function claudeLog(turns: readonly (readonly [prompt: string, answer: unknown])[], cwd: string): string {
  const shared = { isSidechain: false, cwd, sessionId: 'aaaa1111-0000-4000-8000-000000000001', version: '2.1.80' };
  const records = turns.flatMap(([prompt, answer], index) => [
    {
      ...shared,
      type: 'user',
      uuid: `u${index}`,
      parentUuid: index === 0 ? null : `a${index - 1}`,
      timestamp: `2026-11-01T10:0${index}:00.000Z`,
      message: { role: 'user', content: prompt },
    },
    {
      ...shared,
      type: 'assistant',
      uuid: `a${index}`,
      parentUuid: `u${index}`,
      timestamp: `2026-11-01T10:0${index}:01.000Z`,
      message: { role: 'assistant', id: `msg_${index}`, type: 'message', model: 'claude-sonnet-4-5', content: answer },
    },
  ]);
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

export const said = (text: string): object[] => [{ type: 'text', text }];
