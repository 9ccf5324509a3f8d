import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const openaiAgents: Tool = defineTool({
  id: 'openai-agents',
  name: 'OpenAI Agents SDK',
  detect,
  heads,
  locate,
  read,
});
