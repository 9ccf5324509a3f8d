import type { Codec } from '../../model/codec.ts';
import { holdsAside } from '../raw-content.ts';
import { withForeign } from '../restore.ts';
import { retellContent } from '../retell.ts';
import { scan } from './facts.ts';
import { read, salvage } from './read.ts';
import { request } from './request.ts';
import { pointer } from './shape.ts';
import { write } from './write.ts';

/** Reads and writes the message list of the OpenAI Chat Completions API. */
export const openaiChat: Codec = withForeign({
  dialect: 'openai-chat',
  listKey: 'messages',
  results: 'tool',
  scan,
  request,
  read,
  write,
  retell: retellContent,
  salvage,
  holdsAside: ({ role, wire }) => role === 'assistant' && holdsAside(wire),
  pointer,
});
