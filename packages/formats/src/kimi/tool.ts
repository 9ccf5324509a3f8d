import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const kimi: Tool = defineTool({ id: 'kimi', name: 'Kimi Code', detect, heads, locate, read });
