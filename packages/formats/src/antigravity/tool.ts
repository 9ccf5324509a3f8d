import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const antigravity: Tool = defineTool({ id: 'antigravity', name: 'Antigravity', detect, heads, locate, read });
