import type { Codec } from '../../model/codec.ts';
import { withForeign } from '../restore.ts';
import { retellContent } from '../retell.ts';
import { holdsAside, scan } from './facts.ts';
import { read, salvage } from './read.ts';
import { request } from './request.ts';
import { pointer } from './shape.ts';
import { write } from './write.ts';

/** Reads and writes the message list of pydantic-ai: its objects, or the dicts they are serialised to. */
export const pydanticAi: Codec = withForeign({
  dialect: 'pydantic-ai',
  listKey: 'messages',
  results: 'user',
  scan,
  request,
  read,
  write,
  retell: retellContent,
  salvage,
  holdsAside,
  pointer,
});
