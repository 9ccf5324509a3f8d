import { aider } from './aider/tool.ts';
import { amp } from './amp/tool.ts';
import { antigravity } from './antigravity/tool.ts';
import { atif } from './atif/tool.ts';
import { claudeCode } from './claude-code/tool.ts';
import { cline } from './cline/tool.ts';
import { codex } from './codex/tool.ts';
import { copilotCli } from './copilot-cli/tool.ts';
import { crush } from './crush/tool.ts';
import { cursor } from './cursor/tool.ts';
import { factoryDroid } from './factory-droid/tool.ts';
import { gemini } from './gemini/tool.ts';
import { goose } from './goose/tool.ts';
import { grok } from './grok/tool.ts';
import { kilo } from './kilo/tool.ts';
import { kimi } from './kimi/tool.ts';
import { langgraph } from './langgraph/tool.ts';
import { mastraAiSdk } from './mastra-ai-sdk/tool.ts';
import { miniSweAgent } from './mini-swe-agent/tool.ts';
import { openaiAgents } from './openai-agents/tool.ts';
import { openaiChat } from './openai-chat/tool.ts';
import { openclaw } from './openclaw/tool.ts';
import { opencode } from './opencode/tool.ts';
import { openhands } from './openhands/tool.ts';
import { pi } from './pi/tool.ts';
import { pydanticAi } from './pydantic-ai/tool.ts';
import { qwen } from './qwen/tool.ts';
import { rethread } from './rethread/tool.ts';
import { roo } from './roo/tool.ts';
import { sweAgent } from './swe-agent/tool.ts';
import { tunacode } from './tunacode/tool.ts';
import type { Tool } from './tool.ts';

/** Every tool whose sessions can be read. The first one that detects a file reads it. */
export const tools: readonly Tool[] = [
  factoryDroid,
  claudeCode,
  codex,
  openclaw,
  pi,
  qwen,
  kimi,
  gemini,
  kilo,
  opencode,
  copilotCli,
  grok,
  antigravity,
  goose,
  crush,
  amp,
  roo,
  cline,
  cursor,
  aider,
  rethread,
  sweAgent,
  atif,
  openhands,
  tunacode,
  pydanticAi,
  langgraph,
  openaiAgents,
  mastraAiSdk,
  miniSweAgent,
  openaiChat,
];
