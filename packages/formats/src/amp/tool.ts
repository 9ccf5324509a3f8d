import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const amp: Tool = defineTool({ id: 'amp', name: 'Amp', detect, heads, locate, read });
