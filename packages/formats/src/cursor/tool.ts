import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const cursor: Tool = defineTool({ id: 'cursor', name: 'Cursor', detect, heads, locate, read });
