import { type SessionRef } from '@rethread/formats';

import { shellWord } from '../terminal/visible.ts';

/** A session, as far as a command needs to know it to resume it. */
type Resumed = Pick<SessionRef, 'id' | 'path'>;

interface ToolWords {
  /** The name that people know. */
  readonly name: string;
  /** The words of the command that resumes a session, where there is one. */
  readonly resume?: (session: Resumed) => readonly string[];
}

const words: Readonly<Record<string, ToolWords>> = {
  'claude-code': { name: 'Claude Code', resume: ({ id }) => ['claude', '--resume', id] },
  codex: { name: 'Codex', resume: ({ id }) => ['codex', 'resume', id] },
  gemini: { name: 'Gemini CLI', resume: ({ id }) => ['gemini', '--resume', id] },
  opencode: { name: 'opencode', resume: ({ id }) => ['opencode', '--session', id] },
  kilo: { name: 'Kilo', resume: ({ id }) => ['kilo', '--session', id] },
  pi: { name: 'pi', resume: ({ path }) => ['pi', '--session', path] },
  qwen: { name: 'Qwen Code', resume: ({ id }) => ['qwen', '--resume', id] },
  kimi: { name: 'Kimi Code', resume: ({ id }) => ['kimi', '--session', id] },
  cline: { name: 'Cline', resume: ({ id }) => ['cline', '--id', id] },
  openclaw: { name: 'OpenClaw' },
  'copilot-cli': { name: 'Copilot CLI', resume: ({ id }) => ['copilot', '--resume', id] },
  'factory-droid': { name: 'Factory droid' },
  history: { name: 'a saved history' },
  'mini-swe-agent': { name: 'mini-swe-agent' },
  'swe-agent': { name: 'SWE-agent' },
};

/** The name of a tool, as people know it. */
export const toolName = (tool: string): string => words[tool]?.name ?? tool;

/** The command that goes on with a session in its own tool; undefined where no command does that. */
export function resumeCommand(tool: string, session: Resumed): string | undefined {
  const typed = words[tool]?.resume?.(session).map(shellWord);
  return typed === undefined || typed.includes(undefined) ? undefined : typed.join(' ');
}
