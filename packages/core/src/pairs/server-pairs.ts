import type { PartKind } from '../model/part.ts';
import type { PairLog } from './pair-log.ts';
import { Step, type At } from './step.ts';

/** Matches calls that the provider runs itself with their results, inside one turn or one message. */
export class ServerPairs {
  private readonly log: PairLog;
  private readonly scope: 'turn' | 'message';
  private readonly step = new Step();

  constructor(log: PairLog, scope: 'turn' | 'message') {
    this.log = log;
    this.scope = scope;
  }

  part(kind: PartKind, id: string | undefined): void {
    const { step, log } = this;
    const call = id === undefined ? undefined : step.find(id);
    const open = call?.isOpen === true;
    if (kind !== 'call') {
      if (open) step.answer(call, log);
      else log.add('server-result-unknown');
      return;
    }
    // Inside one message an open call under the same id is the same call, said twice by a stream.
    if (open && this.scope === 'message') return;
    if (open) {
      // Made again under its own id, the earlier one cannot be answered any more.
      this.tell(call);
      step.answer(call, log);
    }
    step.add(log, id, id);
  }

  /** A message ends. */
  messageEnds(): void {
    if (this.scope === 'message') this.close();
  }

  /** Provider-run calls may stay open only while nothing but results follows them, and inside of one turn. */
  close(): void {
    const { step } = this;
    if (step.open > 0) for (const call of step.left()) this.tell(call);
    step.clear();
  }

  private tell({ message, part }: At): void {
    this.log.add('server-call-open', message, part);
  }
}
