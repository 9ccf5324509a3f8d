import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const qwen: Tool = defineTool({ id: 'qwen', name: 'Qwen Code', detect, heads, locate, read });
