import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { scratchFolder } from './tools/engines/src/scratch.ts'
import { catalogs } from './web/vite/catalogs.ts'

/** Systems that tests start keep their data where those of the engines are. */
const env = { TMPDIR: scratchFolder() }
const project = (name: string, include: string[], options: Record<string, unknown> = {}) => ({
  // A crowded machine starves a test now and then: it gets a second try, and the summary of `npm test` names it.
  test: {
    name,
    include,
    environment: 'node',
    env,
    retry: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What is waited for comes when it comes; only what never comes fails.
    expect: { poll: { timeout: 120_000 } },
    ...options,
  },
})
/** The engines that a project's tests run on are opened before them, or taken from the environment. */
const on = (...wantedEngines: string[]) => ({
  globalSetup: ['packages/testing/src/engines/global-setup.ts'],
  provide: { wantedEngines },
})
/** While one file waits another one computes, even on two processors, where Vitest by itself would take one worker. */
const sideBySide = { maxWorkers: Math.max(2, availableParallelism() - 1) }
/** For files that share nothing but an engine: a process runs many of them and loads their modules once. */
const together = { ...sideBySide, isolate: false }
const everyEngine = on('kafka', 'mongo', 'postgres', 'redis')
const onSplit = process.env.E2E_SYSTEM === 'split'
/** What may differ when the system is distributed; what a screen shows does not depend on what serves it. */
const alsoOnSplit = `accounts delays journey live own-data process programs resilience single-sign-on`.split(/\s+/)
/** The files that show every scene to axe, each in a world and a browser of its own. */
const everyScreen = 'tests/e2e/test/accessibility*.test.ts'
const onSplitToo = alsoOnSplit.map((name) => `tests/e2e/test/${name}.test.ts`)

export default defineConfig({
  test: {
    // A worker of the end-to-end tests ends with the system that its files shared.
    teardownTimeout: 60_000,
    projects: [
      {
        ...project(
          'unit',
          [
            'packages/*/{src,test}/**/*.test.ts',
            'web/src/**/*.test.ts',
            'services/*/src/**/*.test.ts',
            'tools/*/test/**/*.test.ts',
            'tests/k6/test/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          together,
        ),
        plugins: [catalogs('web/src/locales')],
      },
      project('architecture', ['tests/{architecture,spec}/**/*.test.ts'], sideBySide),
      // Renders the chart by the program `helm`; skipped by name where there is none.
      project('helm', ['tests/helm/**/*.test.ts'], sideBySide),
      project('contract', ['{packages,services,tools}/*/contract/**/*.test.ts'], {
        ...everyEngine,
        ...together,
      }),
      project('services', ['services/*/test/**/*.test.ts', 'tests/security/**/*.test.ts'], {
        ...on('postgres'),
        ...together,
      }),
      project('e2e', onSplit ? onSplitToo : ['tests/e2e/**/*.test.ts'], {
        ...(onSplit ? everyEngine : on('postgres')),
        exclude: [everyScreen],
        testTimeout: 300_000,
        hookTimeout: 300_000,
        // The files of a worker share a system and a browser, which take long to open. A cluster is work for two processors by itself.
        isolate: false,
        maxWorkers: onSplit ? 1 : 2,
        // Projects with other numbers of workers run one after the other.
        sequence: { groupOrder: 1 },
      }),
      // A project of its own, since its files share nothing: the whole run runs it beside the faults.
      project('accessibility', [everyScreen], {
        isolate: false,
        maxWorkers: 2,
        sequence: { groupOrder: 2 },
      }),
      // These start and hurt engines of their own: the one that needs none is over long before the crowd of the other one comes.
      project('faults', ['tests/faults/**/*.test.ts'], {
        testTimeout: 600_000,
        maxWorkers: 2,
        sequence: { groupOrder: 3 },
      }),
    ],
  },
})
