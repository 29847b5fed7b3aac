import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const project = (name: string, include: string[], options: Record<string, unknown> = {}) => ({
  // A crowded machine starves a test now and then: it gets a second try, and the summary of `npm test` names it.
  test: {
    name,
    include,
    environment: 'node',
    retry: 1,
    testTimeout: 120_000,
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
/** While one file waits another one computes, even on two processors, where Vitest by itself would take one worker. */
const sideBySide = { maxWorkers: Math.max(2, availableParallelism() - 1) }
/** For files that share nothing but an engine: a process runs many of them and loads their modules once. */
const together = { ...sideBySide, isolate: false }
const everyEngine = on('kafka', 'mongo', 'postgres', 'redis')
const onSplit = process.env.E2E_SYSTEM === 'split'
/** What may differ when the system is distributed; what a screen shows does not depend on what serves it. */
const alsoOnSplit = 'accounts files journey live models own-data process resilience single-sign-on'.split(' ')
const onSplitToo = alsoOnSplit.map((name) => `tests/e2e/test/${name}.test.ts`)

export default defineConfig({
  test: {
    // A worker of the end-to-end tests ends with the system that its files shared.
    teardownTimeout: 60_000,
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
        together,
      ),
      project('architecture', ['tests/{architecture,spec}/**/*.test.ts'], sideBySide),
      project('contract', ['packages/*/contract/**/*.test.ts', 'services/*/contract/**/*.test.ts'], {
        ...everyEngine,
        ...sideBySide,
      }),
      project('services', ['services/*/test/**/*.test.ts', 'tests/security/**/*.test.ts'], {
        ...on('postgres'),
        ...together,
      }),
      project('e2e', ['tests/e2e/**/*.test.ts'], {
        ...(onSplit ? everyEngine : on('postgres')),
        ...(onSplit && { include: onSplitToo }),
        testTimeout: 180_000,
        hookTimeout: 240_000,
        // The files of a worker share a system and a browser, which take long to open. A cluster is work for two processors by itself.
        isolate: false,
        maxWorkers: onSplit ? 1 : 2,
        // Projects with other numbers of workers run one after the other.
        sequence: { groupOrder: 1 },
      }),
      // These start and hurt engines of their own.
      project('faults', ['tests/faults/**/*.test.ts'], {
        testTimeout: 600_000,
        fileParallelism: false,
        sequence: { groupOrder: 2 },
      }),
    ],
  },
})
