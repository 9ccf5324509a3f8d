import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const openhands: Tool = defineTool({ id: 'openhands', name: 'OpenHands', detect, heads, locate, read });
