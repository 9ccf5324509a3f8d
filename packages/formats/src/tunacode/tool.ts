import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const tunacode: Tool = defineTool({ id: 'tunacode', name: 'tunacode', detect, heads, locate, read });
