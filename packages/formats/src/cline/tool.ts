import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const cline: Tool = defineTool({ id: 'cline', name: 'Cline', detect, heads, locate, read });
