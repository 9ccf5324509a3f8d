import type { Codec } from '../../model/codec.ts';
import { isRecord } from '../../model/value.ts';
import { withForeign } from '../restore.ts';
import { retellResponse } from '../retell.ts';
import { scan } from './facts.ts';
import { read, salvage } from './read.ts';
import { lift, request } from './request.ts';
import { pointer } from './shape.ts';
import { write } from './write.ts';

/** Reads and writes the contents of the Gemini API. */
export const gemini: Codec = withForeign({
  dialect: 'gemini',
  listKey: 'contents',
  results: 'user',
  // A lone content stands for a list of one.
  listOf: (field) => (isRecord(field) ? [field] : undefined),
  scan,
  request,
  read,
  write,
  retell: retellResponse,
  salvage,
  pointer,
  lift,
});
