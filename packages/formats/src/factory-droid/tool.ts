import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const factoryDroid: Tool = defineTool({
  id: 'factory-droid',
  name: 'Factory Droid',
  detect,
  heads,
  locate,
  read,
});
