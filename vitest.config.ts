import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

const project = (name: string, include: string[], options: Record<string, unknown> = {}) => ({
  // A crowded machine starves a test now and then: it gets a second try, and the summary of `npm test` names it.
  test: {
    name,
    include,
    environment: 'node',
    retry: 1,
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // What is waited for comes when it comes; only what never comes fails.
    expect: { poll: { timeout: 60_000 } },
    ...options,
  },
})
/** The engines that a project's tests run on are opened before them, or taken from the environment. */
const on = (...wantedEngines: string[]) => ({
  globalSetup: ['packages/testing/src/global-setup.ts'],
  provide: { wantedEngines },
})
/** While one file waits another one computes, even on two processors. */
const sideBySide = { maxWorkers: Math.max(2, availableParallelism() - 1) }
/** For files that share nothing but an engine: a process runs many of them and loads their modules once. */
const together = { ...sideBySide, isolate: false }
const everyEngine = on('kafka', 'mongo', 'postgres', 'redis')
const onSplit = process.env.E2E_SYSTEM === 'split'

export default defineConfig({
  test: {
    projects: [
      project(
        'unit',
        [
          'packages/*/{src,test}/**/*.test.ts',
          'web/src/**/*.test.ts',
          'services/*/src/**/*.test.ts',
          'deploy/*/test/**/*.test.ts',
          'scripts/**/*.test.ts',
        ],
        sideBySide,
      ),
      project('architecture', ['tests/{architecture,spec}/**/*.test.ts']),
      project('contract', ['packages/*/contract/**/*.test.ts', 'services/*/contract/**/*.test.ts'], everyEngine),
      project('services', ['services/*/test/**/*.test.ts'], { ...on('postgres'), ...together }),
      project('e2e', ['tests/e2e/**/*.test.ts'], {
        ...(onSplit ? everyEngine : on('postgres')),
        // What a screen looks like does not depend on what serves it, and these take the longest.
        ...(onSplit && { exclude: [...configDefaults.exclude, 'tests/e2e/test/accessibility.test.ts'] }),
        testTimeout: 120_000,
        fileParallelism: false,
      }),
      // These start and hurt engines of their own.
      project('faults', ['tests/faults/**/*.test.ts'], { testTimeout: 600_000, fileParallelism: false }),
    ],
  },
})
