import { defineTool, type Tool } from '../tool.ts';
import { detect, heads } from './detect.ts';
import { locate } from './locate.ts';
import { read } from './read.ts';

export const pi: Tool = defineTool({ id: 'pi', name: 'pi', detect, heads, locate, read });
