import { defineConfig } from 'vitest/config'

const project = (name: string, include: string[], options: Record<string, unknown> = {}) => ({
  test: { name, include, environment: 'node', testTimeout: 30_000, hookTimeout: 120_000, ...options },
})
const postgres = { globalSetup: ['packages/testing/src/global-setup.ts'] }

export default defineConfig({
  test: {
    projects: [
      project('unit', ['packages/*/{src,test}/**/*.test.ts', 'web/src/**/*.test.ts', 'services/*/src/**/*.test.ts']),
      project('architecture', ['tests/architecture/**/*.test.ts']),
      project('contract', ['packages/*/contract/**/*.test.ts', 'services/*/contract/**/*.test.ts'], postgres),
      project('services', ['services/*/test/**/*.test.ts'], postgres),
      project('e2e', ['tests/e2e/**/*.test.ts'], { ...postgres, testTimeout: 120_000, fileParallelism: false }),
    ],
  },
})
