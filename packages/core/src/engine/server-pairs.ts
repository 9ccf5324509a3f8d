import type { PartKind } from '../model/part.ts';
import type { FactLog } from './fact-log.ts';
import { Step } from './step.ts';

/** Matches calls that the provider runs itself with their results, inside one turn or one message. */
export class ServerPairs {
  private readonly log: FactLog;
  private readonly scope: 'turn' | 'message';
  private readonly step = new Step();

  constructor(log: FactLog, scope: 'turn' | 'message') {
    this.log = log;
    this.scope = scope;
  }

  part(kind: PartKind, id: string | undefined): void {
    const step = this.step;
    const { message, part } = this.log;
    const entry = id === undefined ? -1 : step.find(id);
    const open = entry !== -1 && step.resultMessage[entry] === -1;
    if (kind !== 'call') {
      if (open) step.answer(entry, message, part);
      else this.log.add('server-result-unknown');
      return;
    }
    // Inside one message an open call under the same id is the same call, said twice by a stream.
    if (open && this.scope === 'message') return;
    if (open) {
      // Made again under its own id, the earlier one cannot be answered any more.
      this.tellOpen(entry);
      step.answer(entry, message, part);
    }
    step.add(id, message, part);
  }

  /** A message ends. */
  messageEnds(): void {
    if (this.scope === 'message' && this.step.count > 0) this.close();
  }

  /** A new assistant turn begins. */
  close(): void {
    this.report();
    this.step.clear();
  }

  /** Provider-run calls may stay open only while nothing but results follows them. */
  report(): void {
    const step = this.step;
    if (step.open === 0) return;
    for (let entry = 0; entry < step.count; entry += 1) {
      if (step.resultMessage[entry] === -1) this.tellOpen(entry);
    }
    step.clear();
  }

  private tellOpen(entry: number): void {
    const { message, part } = this.step.callAt(entry);
    this.log.add('server-call-open', message, part);
  }
}
