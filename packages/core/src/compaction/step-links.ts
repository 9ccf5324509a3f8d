import { Links } from './links.ts';

/** Beyond so many calls a search for each result would be slow. */
const FEW = 16;

/**
 * Links where a provider looks for the results of a call at its step. Nearly every history answers its calls step by
 * step, so only the calls since the last answered step are remembered, and no id is looked up in a table.
 */
export class StepLinks extends Links {
  private readonly ids: string[] = [];
  private readonly messages: number[] = [];
  private readonly states: ('open' | 'server' | 'answered')[] = [];
  private open = 0;
  private readonly byId = new Map<string, number>();

  call(id: string | undefined, server: boolean): void {
    this.caller = this.at;
    if (this.open === 0 && this.ids.length > 0) this.clear();
    const key = keyOf(id, server);
    // Calls of one message that share an id are answered together.
    const same = this.find(key);
    if (same >= 0 && this.messages[same] === this.at) return;
    if (this.ids.length >= FEW) this.index(key);
    this.ids.push(key);
    this.messages.push(this.at);
    this.states.push(server ? 'server' : 'open');
    this.open += 1;
  }

  result(id: string | undefined, server: boolean): void {
    const entry = this.find(keyOf(id, server));
    // A result that names no call answers the step before it.
    if (entry < 0) {
      this.stray = this.at;
      return this.reach(this.caller);
    }
    this.reach(this.messages[entry]);
    if (this.states[entry] !== 'answered') this.open -= 1;
    this.states[entry] = 'answered';
  }

  protected unanswered(): number[] {
    return this.messages.filter((_, entry) => this.states[entry] === 'open');
  }

  /** The newest call with an id; -1 where there is none. */
  private find(key: string): number {
    if (this.byId.size > 0) return this.byId.get(key) ?? -1;
    for (let entry = this.ids.length - 1; entry >= 0; entry -= 1) if (this.ids[entry] === key) return entry;
    return -1;
  }

  private index(key: string): void {
    if (this.byId.size === 0) this.ids.forEach((id, entry) => this.byId.set(id, entry));
    this.byId.set(key, this.ids.length);
  }

  private clear(): void {
    this.ids.length = 0;
    this.messages.length = 0;
    this.states.length = 0;
    if (this.byId.size > 0) this.byId.clear();
  }
}

/** Without an id a result is matched with the newest call that has none either. */
function keyOf(id: string | undefined, server: boolean): string {
  const name = id ?? '';
  return server ? `server\n${name}` : name;
}
