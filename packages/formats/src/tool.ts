import type { FaultLog } from './fault.ts';
import type { Sample } from './files/sample.ts';
import type { Head, Reading } from './session.ts';
import type { Root, System } from './system.ts';

/** What a reader gets to work with. */
export type Source = {
  readonly path: string;
  readonly sample: Sample;
  /** The session that is wanted of a file that holds several. */
  readonly session?: string;
  readonly faults: FaultLog;
};

/** All that this package knows of one tool. */
export type Tool = {
  /** The name of its folder. */
  readonly id: string;
  /** The name that people know. */
  readonly name: string;
  /** Where the tool keeps its sessions on a system. */
  readonly locate: (system: System) => readonly Root[];
  /** Whether this tool wrote the file: by content, never by its name alone. */
  readonly detect: (sample: Sample) => boolean;
  /** The sessions in a file that was detected, as far as its head and tail tell. */
  readonly heads: (sample: Sample) => readonly Head[];
  /** Walks over a session once. What is wrong is a fault, and nothing is thrown. */
  readonly read: (source: Source) => Promise<Reading>;
};

/** Declares a tool; `tools.ts` lists it. */
export const defineTool = (tool: Tool): Tool => tool;
