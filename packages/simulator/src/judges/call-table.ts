const FEW = 8;

/** The calls of one turn by id. Most turns hold few, and for few a glance at each is quicker than a hash. */
export class CallTable<Call extends { readonly id: string }> {
  calls: Call[] = [];
  #index: Map<string, Call> | undefined;

  find(id: string): Call | undefined {
    if (this.#index !== undefined) return this.#index.get(id);
    const { calls } = this;
    for (let i = 0; i < calls.length; i++) if (calls[i]?.id === id) return calls[i];
    return undefined;
  }

  /** Adds a call whose id is not yet here. */
  add(call: Call): void {
    this.calls.push(call);
    if (this.#index !== undefined) this.#index.set(call.id, call);
    else if (this.calls.length > FEW) this.#index = new Map(this.calls.map((each) => [each.id, each]));
  }

  clear(): void {
    if (this.calls.length === 0) return;
    this.calls = [];
    this.#index = undefined;
  }
}
