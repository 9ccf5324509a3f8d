import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const grok: Tool = defineTool({ id: 'grok', name: 'Grok Build', detect, heads, locate, read });
