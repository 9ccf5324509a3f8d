import type { Codec } from '../../model/codec.ts';
import { withForeign } from '../restore.ts';
import { retellToolResult } from '../retell.ts';
import { salvageMessage } from '../salvage.ts';
import { scan } from './facts.ts';
import { read, readParts, unreadCharacters } from './read.ts';
import { lift, request } from './request.ts';
import { write } from './write.ts';

/** Reads and writes the message list of the Converse API of Amazon Bedrock. */
export const bedrockConverse: Codec = withForeign({
  dialect: 'bedrock-converse',
  listKey: 'messages',
  results: 'user',
  scan,
  request,
  read,
  write,
  retell: retellToolResult,
  salvage: (wire, index) =>
    salvageMessage(wire, index, {
      readParts: (role, content) => readParts(content, { role, index }),
      results: 'user',
      weigh: unreadCharacters,
    }),
  pointer: (_wire, part) => `/content/${String(part)}`,
  lift,
});
