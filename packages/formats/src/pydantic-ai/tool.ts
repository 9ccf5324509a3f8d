import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const pydanticAi: Tool = defineTool({ id: 'pydantic-ai', name: 'Pydantic AI', detect, heads, locate, read });
