import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const opencode: Tool = defineTool({ id: 'opencode', name: 'opencode', detect, heads, locate, read });
