import { expect, test } from 'vitest'
import { runChaos } from '../src/chaos/chaos.ts'
import { chaosFaults } from '../src/chaos/faults.ts'

test('Parley in one process keeps every acknowledged message, charge and end through each kind of kill and standstill', async () => {
  const broken: string[] = []
  const rows = await runChaos({
    seed: 1,
    longestMs: 2_000,
    shouldContinue: (faults) => faults < chaosFaults.length,
    onFault: (name, violations) => broken.push(...violations.map((what) => `${name}: ${what}`)),
  })
  expect(broken).toEqual([])
  expect(rows.map(({ count }) => count)).toEqual(chaosFaults.map(() => 1))
})
