import type * as core from '@rethread/core';

/** The published entry point: what is measured is the built package, not its sources. */
export type Engine = typeof core;

export async function loadEngine(): Promise<Engine> {
  return import('@rethread/core');
}
