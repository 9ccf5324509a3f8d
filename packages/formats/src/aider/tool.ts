import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const aider: Tool = defineTool({ id: 'aider', name: 'Aider', detect, heads, locate, read });
