import type { ItemKind } from '../model/codec.ts';
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

/** Where a provider keeps what it made: no id twice, and every thought before what came of it. */
export class ItemOrder {
  /** Nothing was thought since somebody else spoke, and nothing waits for the end of the list. */
  idle = true;
  private readonly log: FactLog;
  /** By id: the first message that has it. */
  private readonly ids = new Map<string, number>();
  /** First and last message of the thoughts that nothing has come of yet. */
  private from = -1;
  private to = -1;
  /** The first of them that has an id is sent whole, so what came of it need not be known by one. */
  private named = false;
  private whole = false;
  /** Something was thought since the model began to speak. */
  private thought = false;
  private trigger = -1;
  /** Programs that can be sent; undefined where some may be known to the provider alone. */
  private programs: Set<string> | undefined = undefined;

  constructor(log: FactLog, { chained }: { readonly chained: boolean }) {
    this.log = log;
    if (!chained) this.programs = new Set();
  }

  item(id: string | undefined, kind: ItemKind, program?: string): void {
    if (this.trigger >= 0) this.triggerEnds();
    // An empty id names nothing, so it is malformed and never a repeated one.
    if (id !== undefined && id !== '') this.see(id);
    // Where nothing was thought, nearly every item is one of these, and nothing hangs on it.
    if (this.from < 0 && program === undefined) {
      if (kind === 'made') return;
      if (kind === 'other') {
        this.thought = false;
        this.idle = true;
        return;
      }
    }
    this.place(id, kind, program);
  }

  private triggerEnds(): void {
    this.log.add('trigger-not-last', this.trigger, 0);
    this.trigger = -1;
  }

  private place(id: string | undefined, kind: ItemKind, program: string | undefined): void {
    const { message } = this.log;
    this.idle = false;
    if (kind === 'trigger') this.trigger = message;
    if (kind === 'thought' || kind === 'whole-thought') {
      if (!this.named && id !== undefined) this.whole = kind === 'whole-thought';
      this.named ||= id !== undefined;
      this.thought = true;
      if (this.from < 0) this.from = message;
      this.to = message;
    } else {
      if (program !== undefined || kind === 'program-output') this.seeProgram(kind, program);
      if (kind === 'reference') this.programs = undefined;
      this.speak(id, kind);
    }
  }

  /** What a program gave is nothing without the program. */
  private seeProgram(kind: ItemKind, program = ''): void {
    if (kind === 'program-output') {
      if (this.programs?.has(program) === false) this.log.add('item-incomplete', this.log.message, 0);
    } else if (program !== '' && (kind === 'made' || this.thought)) this.programs?.add(program);
  }

  private see(id: string): void {
    const other = this.ids.get(id);
    if (other === undefined) this.ids.set(id, this.log.message);
    else this.log.add('item-id-again').other = { message: other, part: 0 };
  }

  private speak(id: string | undefined, kind: ItemKind): void {
    const made = kind !== 'other' && kind !== 'trigger';
    if (!made || (id === undefined && !this.whole)) this.finish();
    this.from = -1;
    this.named = false;
    this.whole = false;
    if (kind === 'program' && !this.thought) this.log.add('item-incomplete', this.log.message, 0);
    if (!made) this.thought = false;
  }

  /** Whatever was thought last has come to nothing. */
  finish(): void {
    if (this.from < 0) return;
    for (let message = this.from; message <= this.to; message += 1) {
      this.log.add('reasoning-unfollowed', message, 0);
    }
  }
}
