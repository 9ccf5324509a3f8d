import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const miniSweAgent: Tool = defineTool({
  id: 'mini-swe-agent',
  name: 'mini-swe-agent',
  detect,
  heads,
  locate,
  read,
});
