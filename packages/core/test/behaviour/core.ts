/** Everything that @rethread/core exports, and nothing else of it. */
export type Core = typeof import('../../src/index.ts') & {
  readonly resume: typeof import('../../src/resume/index.ts');
};
