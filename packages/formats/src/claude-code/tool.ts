import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const claudeCode: Tool = defineTool({ id: 'claude-code', name: 'Claude Code', detect, heads, locate, read });
