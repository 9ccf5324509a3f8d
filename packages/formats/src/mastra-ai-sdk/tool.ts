import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const mastraAiSdk: Tool = defineTool({
  id: 'mastra-ai-sdk',
  name: 'Mastra and the AI SDK',
  detect,
  heads,
  locate,
  read,
});
