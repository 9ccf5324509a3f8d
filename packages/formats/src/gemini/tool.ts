import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const gemini: Tool = defineTool({ id: 'gemini', name: 'Gemini CLI', detect, heads, locate, read });
