import { expect, test } from 'vitest'
import { lastLook, runChaos } from '../src/chaos/chaos.ts'
import { chaosFaults } from '../src/chaos/faults.ts'
import { savedBy } from '../src/chaos/saved-by.ts'

test('Parley in one process keeps every acknowledged message, title, charge and end through each kind of kill and standstill', async () => {
  const broken: string[] = []
  const rows = await runChaos({
    faults: chaosFaults,
    seed: 1,
    longestMs: 2_000,
    shouldContinue: (faults) => faults < chaosFaults.length,
    onFault: (name, violations) => broken.push(...violations.map((what) => `${name}: ${what}`)),
  })
  expect(broken).toEqual([])
  const names = [...chaosFaults.map(({ name }) => name), lastLook]
  expect(rows.map(({ fault, count }) => [fault, count])).toEqual(names.map((name) => [name, 1]))
})

test.each([
  ['not at all before the first word', [], 10_000, 0],
  ['not at all right after the first word', [1_000], 2_400, 0],
  ['with its first words after 1.5 s', [1_000, 1_100, 1_200], 2_600, 2],
  ['with its later words only once they are 3 s old', [1_000, 2_400, 2_600, 3_000], 5_000, 2],
  ['in full once all of it is 3 s old', [1_000, 2_400, 2_600, 3_000], 6_000, 4],
])('an answer must have been saved: %s', (_, times, workedAt, characters) => {
  const grown = times.map((at, nth) => ({ at, length: nth + 1 }))
  expect(savedBy(grown, workedAt)).toBe(characters)
})
