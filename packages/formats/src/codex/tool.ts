import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const codex: Tool = defineTool({ id: 'codex', name: 'Codex', detect, heads, locate, read });
