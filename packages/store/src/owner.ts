/** Who holds a lease: enough to tell a later process with the same pid, or another machine, from this one. */
export type Owner = {
  /** Unique to one opened store, so that two of them in one process are two owners. */
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** When the process started, as its system tells it; compared, never interpreted. */
  readonly started: string;
};

/** An owner as a sentence names it. */
export function ownerName({ host, pid, started }: Owner): string {
  return `process ${pid} on ${JSON.stringify(host)} (started ${started})`;
}
