import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const langgraph: Tool = defineTool({ id: 'langgraph', name: 'LangGraph', detect, heads, locate, read });
