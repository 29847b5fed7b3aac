import { setTimeout as wait } from 'node:timers/promises'
import type { Parley } from '../parley.ts'
import type { StreamsReport } from '../processes/load-process.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'

const tokensPerSecond = 20
/** The share of one processor to load. */
const share = 0.7
const trialStreams = 60
const answerSeconds = 10
/** Milliseconds of rest before the baseline and before the final measurement. */
const restMs = 60_000
const limits = { slope: 1, left: 1.5 }

/** P22: growth of memory under a constant load, and what remains of it afterwards. */
export async function measureSoak({ plan, parley, stub, load }: Whole): Promise<Row[]> {
  const tokens = tokensPerSecond * answerSeconds
  await stub.ask('pace', { tokens, everyMs: 1_000 / tokensPerSecond, padding: 0 })
  const idle = parley.memory()
  /** Spreads the starts of the answers evenly, so that a constant number runs at any time. */
  const read = (streams: number): Promise<StreamsReport> =>
    load.ask<StreamsReport>('readTokens', {
      ...{ target: parley.chat(), streams, tokens },
      rampMs: plan.soakMinutes * 60_000,
    })
  const trialShare = await busyShare(parley, () =>
    load.ask<StreamsReport>('readTokens', { target: parley.chat(), streams: trialStreams, tokens, rampMs: 0 }),
  )
  const atOnce = Math.round((trialStreams * share) / trialShare)
  const samples: Sample[] = []
  const startedAt = performance.now()
  const report = read(Math.round((atOnce * plan.soakMinutes * 60) / answerSeconds))
  const sampling = sampleMemory(parley, samples, startedAt)
  const busy = await busyShare(parley, () => report)
  sampling.abort()
  await wait(restMs)
  const left = parley.memory() / idle
  const { failed, lost, disordered } = await report
  // The first fifth fills caches and compiles code.
  const slope = percentPerMinute(samples.slice(Math.ceil(samples.length / 5)))
  const what = `${plan.soakMinutes} minutes of ${atOnce} answers at once (${(busy * 100).toFixed(0)} % of a processor; ${failed} failed, ${lost + disordered} events lost or disordered)`
  return [
    {
      id: 'P22',
      goal: `${what}: growth of memory`,
      measured: `${slope.toFixed(2)} %/min`,
      limit: `≤ ${limits.slope} %/min`,
      met: slope <= limits.slope && failed + lost + disordered === 0,
    },
    {
      id: 'P22',
      goal: `${what}: memory ${restMs / 1_000} s after it over that of before`,
      measured: left.toFixed(2),
      limit: `≤ ${limits.left}`,
      met: left <= limits.left,
    },
  ]
}

/** The process's share of a processor while `run` is running. */
async function busyShare(parley: Parley, run: () => Promise<unknown>): Promise<number> {
  const [cpu, at] = [await parley.ask<number>('cpu'), performance.now()]
  await run()
  return ((await parley.ask<number>('cpu')) - cpu) / (performance.now() - at)
}

interface Sample {
  readonly minute: number
  readonly megabytes: number
}

/** Adds a sample every five seconds until it is aborted. */
function sampleMemory(parley: Parley, samples: Sample[], startedAt: number): { abort(): void } {
  const timer = setInterval(() => {
    samples.push({ minute: (performance.now() - startedAt) / 60_000, megabytes: parley.memory() })
  }, 5_000)
  return { abort: () => clearInterval(timer) }
}

/** Slope of the least-squares line, relative to the mean. */
function percentPerMinute(samples: readonly Sample[]): number {
  const mean = (part: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + part(sample), 0) / samples.length
  const [minute, megabytes] = [mean((sample) => sample.minute), mean((sample) => sample.megabytes)]
  const covariance = mean((sample) => (sample.minute - minute) * (sample.megabytes - megabytes))
  const variance = mean((sample) => (sample.minute - minute) ** 2)
  return (100 * covariance) / variance / megabytes
}
