import type { Codec } from '../../model/codec.ts';
import { withForeign } from '../restore.ts';
import { retellForm } from '../retell.ts';
import { scan } from './facts.ts';
import { read, salvage } from './read.ts';
import { lift, request } from './request.ts';
import { pointer } from './shape.ts';
import { write } from './write.ts';

/** Reads and writes the model messages of the AI SDK. */
export const aiSdkModel: Codec = withForeign({
  dialect: 'ai-sdk-model',
  listKey: 'messages',
  results: 'tool',
  scan,
  request,
  read,
  write,
  retell: retellForm,
  salvage,
  pointer,
  lift,
});
