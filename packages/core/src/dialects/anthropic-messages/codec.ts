import type { Codec } from '../../model/codec.ts';
import { isRecord } from '../../model/value.ts';
import { withForeign } from '../restore.ts';
import { retellContent } from '../retell.ts';
import { salvageMessage } from '../salvage.ts';
import { scan } from './facts.ts';
import { read, readParts } from './read.ts';
import { lift, request } from './request.ts';
import { write } from './write.ts';

/** Reads and writes the message list of the Anthropic Messages API. */
export const anthropicMessages: Codec = withForeign({
  dialect: 'anthropic-messages',
  listKey: 'messages',
  results: 'user',
  scan,
  request,
  read,
  write,
  retell: retellContent,
  salvage: (wire, index) =>
    salvageMessage(wire, index, { readParts: (_role, content) => readParts(content, index), results: 'user' }),
  pointer: (wire, part) =>
    isRecord(wire) && typeof wire['content'] === 'string' ? '/content' : `/content/${String(part)}`,
  lift,
});
