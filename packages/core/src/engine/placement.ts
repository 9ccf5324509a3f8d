import type { PartKind, Role } from '../model/part.ts';
import type { FactLog } from './fact-log.ts';

/** Who has spoken; nobody before the first message. A name and not nothing, since names alone are compared faster. */
export type Speaker = Role | 'nobody';

/** Who speaks first, twice, or out of place. */
export class Placement {
  /** Role of the last message that is not from the system. */
  previous: Speaker = 'nobody';
  /** What the last part of the assistant is, if it belongs to a tool the provider runs itself. */
  serverEnd: PartKind | undefined = undefined;
  private readonly log: FactLog;
  /** System messages between the last message and the next. */
  systemRun: number[] = [];
  /** A rule asks whether one role speaks twice. */
  private readonly wantsSameRole: boolean;

  constructor(log: FactLog) {
    this.log = log;
    this.wantsSameRole = log.wants('same-role');
  }

  message(role: Role): void {
    if (role === 'system') return;
    const { previous } = this;
    this.previous = role;
    if (this.systemRun.length > 0) this.closeSystemRun(role);
    if (role === previous) {
      if (this.wantsSameRole && role !== 'tool' && role !== 'unreadable') this.log.add('same-role');
    } else if (previous === 'tool') {
      if (role === 'user') this.log.add('user-after-tool', this.log.message, -1);
    } else if (previous === 'nobody' && role !== 'user' && role !== 'unreadable') {
      this.log.add('first-not-user');
    }
  }

  /** A system message ends. One without parts only sets options and may stand anywhere. */
  systemEnds(): void {
    if (this.log.part < 0) return;
    this.log.add(this.previous === 'nobody' ? 'system-first' : 'system-later', this.log.message, -1);
    if (this.previous === 'nobody') return;
    if (this.previous === 'assistant' && this.serverEnd !== 'result')
      this.log.add('system-misplaced', this.log.message, -1);
    else this.systemRun.push(this.log.message);
  }

  private closeSystemRun(role: Role): void {
    const run = this.systemRun;
    this.systemRun = [];
    if (role === 'user') for (const message of run) this.log.add('system-misplaced', message, -1);
  }
}
