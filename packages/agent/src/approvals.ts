import type { Ask } from './events.ts';
import { noteRecord } from './log-records.ts';
import type { RunScope } from './run-scope.ts';
import type { Tool } from './tool.ts';

/** Whether a call needs approval. A failed check is no permission. */
export async function needsApproval(run: RunScope, { approval = false }: Tool, input: unknown): Promise<boolean> {
  if (typeof approval === 'boolean') return approval;
  try {
    return await run.within(Promise.resolve(approval(input as never)), 'toolMs', run.signal);
  } catch (error) {
    run.signal.throwIfAborted();
    run.tell({ level: 'warn', event: 'approval-check-failed', error: String(error) });
    return true;
  }
}

/** The recorded decision; undefined if nobody is asked or answers in time. */
export async function askFor(run: RunScope, ask: Ask): Promise<'allow' | 'deny' | undefined> {
  const { onApproval } = run.settings;
  if (onApproval === undefined) return undefined;
  try {
    const decision = await run.within(onApproval(ask, run.session), 'approvalMs', run.signal);
    if (!['allow', 'deny'].includes(decision)) throw new TypeError('an approval must be "allow" or "deny"');
    await run.log.append(noteRecord({ about: 'decision', callId: ask.callId, decision }));
    return decision;
  } catch (error) {
    run.signal.throwIfAborted();
    run.tell({ level: 'info', event: 'approval-open', callId: ask.callId, error: String(error) });
    return undefined;
  }
}
