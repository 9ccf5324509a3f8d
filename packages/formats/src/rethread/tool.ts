import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const rethread: Tool = defineTool({ id: 'rethread', name: 'rethread', detect, heads, locate, read });
