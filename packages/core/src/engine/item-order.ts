import type { ItemKind } from '../model/codec.ts';
import type { FactLog } from './fact-log.ts';

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
