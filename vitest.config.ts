import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

import { LongestFirst } from './tools/longest-first.ts';

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@rethread\/core\/resume$/, replacement: source('packages/core/src/resume/index.ts') },
      { find: /^@rethread\/core\/streams$/, replacement: source('packages/core/src/streams/index.ts') },
      { find: /^@rethread\/core\/examples$/, replacement: source('packages/core/src/examples.ts') },
      { find: /^@rethread\/core$/, replacement: source('packages/core/src/index.ts') },
      { find: /^@rethread\/store\/conformance$/, replacement: source('packages/store/src/conformance/index.ts') },
      { find: /^@rethread\/store$/, replacement: source('packages/store/src/index.ts') },
      { find: /^@rethread\/agent$/, replacement: source('packages/agent/src/index.ts') },
      { find: /^@rethread\/agent\/(anthropic|openai|ai-sdk)$/, replacement: source('packages/agent/src/ports/$1.ts') },
      { find: /^@rethread\/formats$/, replacement: source('packages/formats/src/index.ts') },
      { find: /^@rethread\/adapters\/(.*)$/, replacement: source('packages/adapters/src/$1.ts') },
      { find: /^@rethread\/server$/, replacement: source('packages/server/src/index.ts') },
      { find: /^@rethread\/simulator$/, replacement: source('packages/simulator/src/index.ts') },
    ],
  },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    setupFiles: ['tools/vitest-setup.ts'],
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      provider: 'v8',
      reportsDirectory: 'coverage',
      reporter: ['text-summary', 'json-summary', 'json'],
      include: ['packages/core/src/{engine,rules,compaction,resume}/**/*.ts'],
      thresholds: { lines: 100, branches: 100 },
    },
  },
});
