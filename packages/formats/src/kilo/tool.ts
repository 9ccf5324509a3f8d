import { heads } from '../opencode/detect.ts';
import { defineTool, type Tool } from '../tool.ts';
import { detect } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const kilo: Tool = defineTool({ id: 'kilo', name: 'Kilo Code', detect, heads, locate, read });
