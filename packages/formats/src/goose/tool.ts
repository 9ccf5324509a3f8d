import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const goose: Tool = defineTool({ id: 'goose', name: 'goose', detect, heads, locate, read });
