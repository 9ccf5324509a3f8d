import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const openclaw: Tool = defineTool({ id: 'openclaw', name: 'OpenClaw', detect, heads, locate, read });
