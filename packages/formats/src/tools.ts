import { claudeCode } from './claude-code/tool.ts';
import { cline } from './cline/tool.ts';
import { codex } from './codex/tool.ts';
import { gemini } from './gemini/tool.ts';
import { kilo } from './kilo/tool.ts';
import { kimi } from './kimi/tool.ts';
import { openclaw } from './openclaw/tool.ts';
import { opencode } from './opencode/tool.ts';
import { pi } from './pi/tool.ts';
import { qwen } from './qwen/tool.ts';
import { roo } from './roo/tool.ts';
import type { Tool } from './tool.ts';

/** Every tool whose sessions can be read. The first one that detects a file reads it. */
export const tools: readonly Tool[] = [claudeCode, codex, openclaw, pi, qwen, kimi, gemini, kilo, opencode, roo, cline];
