import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openStage } from '../stage.ts'
import { runLoad } from './load.ts'

/**
 * `npm run load -- --generations 100000 [--minutes N] [--at-once N] [--kill-every SECONDS]`: prints requested, charged and free generations; exits
 * with 1 after a violation. Ctrl-C ends the load early; all checks still run.
 */
const { values } = parseArgs({
  options: {
    generations: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: '600' },
    'at-once': { type: 'string', default: '60' },
    'kill-every': { type: 'string', default: '10' },
  },
})
const given = [values.generations, values.minutes, values['at-once'], values['kill-every']]
const [generations, minutes, atOnce, killEvery] = given.map(Number)
if (!generations || !minutes || !atOnce || !killEvery) {
  console.error('Usage: npm run load -- [--generations N] [--minutes N] [--at-once N] [--kill-every SECONDS]')
  process.exit(2)
}
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
const stage = await openStage()
const started = performance.now()
setTimeout(() => stopping.abort(), minutes * 60_000).unref()
let last = started
const { kills, figures, failures, violations } = await runLoad(stage, {
  ...{ generations, atOnce, pieceMs: 20, signal: stopping.signal },
  ...{ retries: Number.POSITIVE_INFINITY, killsWait: true, allSettled: true },
  async nextKill(_nth, ended) {
    await pause(Math.max(0, last + killEvery * 1_000 - performance.now()))
    last = performance.now()
    console.log(`${Math.round((last - started) / 1_000)} s: ${ended()} of ${generations}`)
    return !stopping.signal.aborted
  },
})
const killed = Object.entries(kills).map(([name, times]) => [`kills: ${name}`, times])
console.table({ ...figures, ...Object.fromEntries(killed) })
console.table(failures)
console.log(violations.join('\n') || 'no violation')
await stage.close()
process.exit(violations.length > 0 ? 1 : 0)
