import { parseArgs } from 'node:util'
import { readScriptConfig } from './config.ts'
import { type Outcome, summaryOf } from './run/outcome.ts'
import { runChanged } from './run/related.ts'
import { runWhole } from './run/whole.ts'

/**
 * `npm test`: runs everything. A check counts as one test, a Vitest project counts its own.
 * `npm test -- --changed` runs only what a change can break; `--since <commit>` sets the commit to compare with.
 */
const { values } = parseArgs({ options: { changed: { type: 'boolean' }, since: { type: 'string' } } })

const started = performance.now()
const { strict } = readScriptConfig()
const stopping = new AbortController()
const { signal } = stopping
// `on`, not `once`: npm forwards Ctrl-C to processes that have already received it.
process.on('SIGINT', () => stopping.abort()).on('SIGTERM', () => stopping.abort())

const lost: Outcome[] = []
/** Abort at once: every test on a dead engine would fail by its time-out. */
const onLost = (reason: string): void => {
  console.error(`\n${reason}`)
  lost.push({ name: 'engines', passed: 0, failed: 1, skipped: 0, note: reason.split('\n')[0] ?? '' })
  stopping.abort()
}

const onlyChanged = values.changed === true || values.since !== undefined
const ran = await (onlyChanged ? runChanged(values.since, { signal, strict }) : runWhole({ signal, strict, onLost }))
const outcomes = [...ran, ...lost]
console.log(summaryOf(outcomes, (performance.now() - started) / 1_000))
process.exitCode = outcomes.some(({ failed }) => failed > 0) || signal.aborted ? 1 : 0
