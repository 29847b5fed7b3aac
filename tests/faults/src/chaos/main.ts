import { parseArgs } from 'node:util'
import { runChaos } from './chaos.ts'
import { chaosFaults } from './faults.ts'

/**
 * `npm run chaos -- --minutes 30 [--faults N] [--seed N] [--only TEXT]`: prints each fault and a table; exits with 1 after a violation.
 * `--only` restricts the run to faults whose names contain the text.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    faults: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const most = Number(values.faults ?? Number.POSITIVE_INFINITY)
const minutes = Number(values.minutes ?? (values.faults === undefined ? 5 : Number.POSITIVE_INFINITY))
const faults = chaosFaults.filter(({ name }) => name.includes(values.only))
if ([seed, most, minutes].some(Number.isNaN) || faults.length === 0) {
  console.error('Usage: npm run chaos -- [--minutes N] [--faults N] [--seed N] [--only TEXT]')
  console.error(`TEXT is part of: ${chaosFaults.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
console.log(`seed ${seed}`)
const end = performance.now() + minutes * 60_000
const rows = await runChaos({
  faults,
  seed,
  longestMs: 12_000,
  shouldContinue: (soFar) => soFar < most && performance.now() < end,
  onFault: (name, violations) => console.log([name, ...violations].join('\n  ')),
})
console.table(rows)
process.exit(rows.some(({ violations }) => violations > 0) ? 1 : 0)
