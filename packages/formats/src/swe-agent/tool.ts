import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const sweAgent: Tool = defineTool({ id: 'swe-agent', name: 'SWE-agent', detect, heads, locate, read });
