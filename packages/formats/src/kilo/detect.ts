import { basename } from 'node:path';

import { isHistory } from '../cline/records.ts';
import type { Sample } from '../files/sample.ts';
import { objectAt, textAt } from '../json.ts';
import { detect as detectsOpencode } from '../opencode/detect.ts';

/** Kilo began to count at seven when it was built on opencode, which had not come to its third version then. */
const isOurs = (version: string | undefined): boolean => Number(version?.split('.')[0]) >= 5;

export function detect(sample: Sample): boolean {
  const { path, database } = sample;
  const document = sample.document();
  if (isHistory(document)) return /kilo-code[\\/]/.test(path);
  if (!detectsOpencode(sample)) return false;
  if (database === undefined) return isOurs(textAt(objectAt(document, 'info') ?? document, 'version'));
  const [newest] = database.columns('session').has('version')
    ? database.rows('SELECT version FROM session ORDER BY time_updated DESC LIMIT 1')
    : [];
  return isOurs(textAt(newest, 'version')) || /^kilo.*\.db$/.test(basename(path));
}
