import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const copilotCli: Tool = defineTool({ id: 'copilot-cli', name: 'Copilot CLI', detect, heads, locate, read });
