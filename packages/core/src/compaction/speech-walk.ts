import type { Sink } from '../model/codec.ts';
import type { Detail, Fact } from '../model/fact.ts';
import type { PartKind, Role } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';
import { ScanMemory } from '../model/scan-memory.ts';
import { mayBegin } from '../model/turn-start.ts';

/** Notes of a message who speaks in it, and whether anything is said. */
export class SpeechWalk implements Sink {
  readonly deep = false;
  readonly memory: ScanMemory = new ScanMemory();
  total = 0;
  readonly request = undefined;
  readonly profile: Profile;
  protected role: Role = 'unreadable';
  protected speaks = false;
  protected carries = false;

  constructor(profile: Profile) {
    this.profile = profile;
  }

  /** A turn may begin with the message read last, and something is said in it. */
  get mayBePerson(): boolean {
    return mayBegin(this.role, this.carries) && this.speaks;
  }

  /** Something is said beside the results in the message read last. */
  get mayBeThrownIn(): boolean {
    return this.carries && this.speaks && this.role === 'user';
  }

  message(role: Role): void {
    this.role = role;
    this.speaks = false;
    this.carries = false;
  }

  part(kind: PartKind, _id: string | undefined, _server: boolean): void {
    if (kind === 'call' || kind === 'result') this.carries = true;
    else if (kind === 'text' || kind === 'media') this.speaks = true;
  }

  fact(_fact: Fact, _detail?: Detail): void {
    // What is noted about a part says nothing about who speaks.
  }
}
