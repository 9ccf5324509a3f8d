import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const crush: Tool = defineTool({ id: 'crush', name: 'Crush', detect, heads, locate, read });
