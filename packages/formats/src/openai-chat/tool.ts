import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const openaiChat: Tool = defineTool({ id: 'openai-chat', name: 'plain requests', detect, heads, locate, read });
