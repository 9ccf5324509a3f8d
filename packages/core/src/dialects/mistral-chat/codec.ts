import type { Codec } from '../../model/codec.ts';
import { request } from '../openai-chat/request.ts';
import { pointer } from '../openai-chat/shape.ts';
import { holdsAside } from '../raw-content.ts';
import { withForeign } from '../restore.ts';
import { retellContent } from '../retell.ts';
import { scan } from './facts.ts';
import { read, salvage } from './read.ts';
import { write } from './write.ts';

/** Reads and writes the message list of the Mistral chat API, which is that of OpenAI with rules of its own. */
export const mistralChat: Codec = withForeign({
  dialect: 'mistral-chat',
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
