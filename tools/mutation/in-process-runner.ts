import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
  type DryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  type TestRunnerCapabilities,
} from '@stryker-mutator/api/test-runner';
import { build } from 'esbuild';
import type { Collected } from './collected-tests.ts';

/** Tests that take long or start other programs: a mutant that survives would run them all. And those of compaction. */
const SLOW_FILES = ['browser', 'compaction/', 'dialects/ai-sdk-ui', 'dialects/inherited-keys', 'engine/long-lists']
  .concat(['engine/linear-time', 'engine/visits', 'fuzz/', 'pairs/many-results', 'properties/', 'recorded'])
  .concat([
    'against/framework',
    'against/convert',
    'against/determinism',
    'against/simulator',
    'behaviour/comparing',
    'behaviour/public',
  ])
  .map((name) => `packages/core/test/${name}`);
const SLOW_TESTS = new RegExp(
  ['an-size|an-context|an-count|of any shape|pushing finds', 'hundred thousand|any value|any message|a pointer']
    .concat('whatever JSON')
    .join('|'),
);

type Evaluate = (load: NodeJS.Require, module: { exports: { tests: Collected[] } }) => void;

/**
 * Runs the tests of the core inside this process. They are bundled once and evaluated afresh for each mutant, so that
 * nothing a mutant did to a table or a cache reaches the next one. A mutant then costs milliseconds, where starting
 * the real test framework costs seconds.
 */
class InProcessRunner implements TestRunner {
  #evaluate: Evaluate | undefined;
  readonly #require = createRequire(join(process.cwd(), 'package.json'));
  readonly #mutants: InstrumenterContext;

  constructor() {
    const shared: Record<string, InstrumenterContext> = globalThis as never;
    this.#mutants = shared[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {};
  }

  capabilities(): TestRunnerCapabilities {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    const files = globSync('packages/core/test/**/*.test.ts').filter(
      (file) => !SLOW_FILES.some((slow) => file.startsWith(slow)),
    );
    const { outputFiles } = await build({
      stdin: {
        contents: [...files.sort().map((file) => `import './${file}';`), `export { tests } from 'vitest';`].join('\n'),
        resolveDir: process.cwd(),
      },
      alias: { vitest: fileURLToPath(new URL('collected-tests.ts', import.meta.url)) },
      define: { 'import.meta.url': JSON.stringify(pathToFileURL(resolve('packages/core/test/any/any.test.ts')).href) },
      external: ['fast-check', 'expect'],
      bundle: true,
      ignoreAnnotations: true,
      format: 'cjs',
      platform: 'node',
      write: false,
      logLevel: 'error',
    });
    this.#evaluate = compileFunction(outputFiles[0]?.text ?? '', ['require', 'module']) as Evaluate;
  }

  async dryRun(): Promise<DryRunResult> {
    delete this.#mutants.mutantCoverage;
    const results: TestResult[] = [];
    for (const test of this.#collect()) {
      this.#mutants.currentTestId = test.id;
      results.push(await runOne(test));
    }
    delete this.#mutants.currentTestId;
    const { mutantCoverage } = this.#mutants;
    return {
      status: DryRunStatus.Complete,
      tests: results,
      ...(mutantCoverage === undefined ? {} : { mutantCoverage }),
    };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const mutants = this.#mutants;
    if (options.hitLimit === undefined) delete mutants.hitCount;
    else Object.assign(mutants, { hitCount: 0, hitLimit: options.hitLimit });
    mutants.activeMutant = options.activeMutant.id;
    try {
      const results = await this.#runChosen(options);
      const endless = determineHitLimitReached(mutants.hitCount, mutants.hitLimit);
      return toMutantRunResult(endless ?? { status: DryRunStatus.Complete, tests: results });
    } finally {
      delete mutants.activeMutant;
    }
  }

  async #runChosen({ testFilter, disableBail }: MutantRunOptions): Promise<TestResult[]> {
    const chosen = testFilter && new Set(testFilter);
    const results: TestResult[] = [];
    try {
      for (const test of this.#collect()) {
        if (chosen && !chosen.has(test.id)) continue;
        const result = await runOne(test);
        results.push(result);
        if (result.status === TestStatus.Failed && !disableBail) break;
      }
    } catch (error) {
      results.push(await runOne({ id: 'load', name: 'load', run: () => Promise.reject(error) }));
    }
    return results;
  }

  #collect(): Collected[] {
    const module = { exports: { tests: [] as Collected[] } };
    this.#evaluate?.(this.#require, module);
    return module.exports.tests.filter(({ name }) => !SLOW_TESTS.test(name));
  }
}

async function runOne({ id, name, run }: Collected): Promise<TestResult> {
  const started = performance.now();
  try {
    await run();
    return { id, name, timeSpentMs: performance.now() - started, status: TestStatus.Success };
  } catch (error) {
    const timeSpentMs = performance.now() - started;
    return { id, name, timeSpentMs, status: TestStatus.Failed, failureMessage: String(error) };
  }
}

export const strykerPlugins: unknown[] = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];
