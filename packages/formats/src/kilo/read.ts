import { isHistory } from '../cline/records.ts';
import { read as readDatabase } from '../opencode/read.ts';
import { read as readTask } from '../roo/read.ts';
import type { Reading } from '../session.ts';
import type { Source } from '../tool.ts';

/** Sessions are kept as opencode keeps them, and older tasks as Roo Code, from which Kilo was made first. */
export const read = async (source: Source): Promise<Reading> =>
  isHistory(source.sample.document()) ? readTask(source) : readDatabase(source);
