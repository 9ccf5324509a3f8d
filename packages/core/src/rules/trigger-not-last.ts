import type { Rule } from '../model/rule.ts';
import { leaveOut } from './remedies/response-items.ts';

/** A wish for compaction may only end a request. */
export const triggerNotLast: Rule = {
  id: 'trigger-not-last',
  title: 'a wish for compaction does not stand last',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'openai-responses': ['or-compaction'] },
  trigger: 'trigger-not-last',
  summary:
    'The wish to compact the history was stored with it, and the history went on. What it asked for has been ' +
    'done or was given up, so the wish goes.',
  explain: () => 'something follows a wish for compaction',
  repair: (found) => leaveOut(found, 'removed a wish for compaction that something follows'),
};
