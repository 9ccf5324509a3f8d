import { defineTool, type Tool } from '../tool.ts';
import { heads } from '../cline/detect.ts';
import { detect } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const roo: Tool = defineTool({ id: 'roo', name: 'Roo Code', detect, heads, locate, read });
