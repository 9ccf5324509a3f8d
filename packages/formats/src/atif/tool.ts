import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const atif: Tool = defineTool({ id: 'atif', name: 'ATIF', detect, heads, locate, read });
