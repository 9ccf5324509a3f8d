import { isHistory, isRooHistory } from '../cline/records.ts';
import type { Sample } from '../files/sample.ts';

/** A history without a summary looks like one of Cline: then the folder of the extension tells. */
export function detect({ path, document }: Sample): boolean {
  const whole = document();
  return isRooHistory(whole) || (isHistory(whole) && /roo-cline[\\/]/.test(path));
}
