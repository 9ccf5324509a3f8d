/** The holder of a lease, distinguishable from a later process with the same pid and from other machines. */
export type Owner = {
  /** Unique per open store: two stores in one process are two owners. */
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** The start time as the operating system gives it; only ever compared. */
  readonly started: string;
};

/** The owner as an error sentence names it. */
export function ownerName({ host, pid, started }: Owner): string {
  return `process ${pid} on ${JSON.stringify(host)} (started ${started})`;
}
