/** One item that the server made and kept. */
export interface KeptEntry {
  /** What it is, for one that comes back as a reference. */
  readonly type?: string | undefined;
  /** The reasoning item it was made with, which must stand before it. */
  readonly reasoning?: string | undefined;
  /** For a reasoning item: the item made right after it, which must follow it. */
  readonly follower?: string | undefined;
}

/** What a server remembers of the responses it stored; without it only what the request itself shows is judged. */
export interface ResponseMemory {
  entry(id: string): KeptEntry | undefined;
  /** All that stands before the input when it goes on from this response or conversation, oldest first. */
  chain(id: string): readonly unknown[] | undefined;
}
