import type { Work } from './bottleneck.ts'
import { iterationsOf, type Summary } from './report.ts'

/** What a number of virtual users was served. */
export interface Level {
  readonly users: number
  /** No threshold was crossed, and something was completed. */
  readonly isServed: boolean
  /** Completed iterations. */
  readonly perSecond: number
  /** The 95th percentile of the time to an answer's first byte, or of a whole request where there are no answers. */
  readonly p95Ms: number
  /** Processors that Parley's processes used together; undefined without their metrics. */
  readonly processors: number | undefined
}

const first = 5

/** Numbers of virtual users, each twice the one before; the last is the peak. */
export function levelsUpTo(peak: number): readonly number[] {
  const levels: number[] = []
  for (let users = first; users < peak; users *= 2) levels.push(users)
  return [...levels, peak]
}

/** The figures of one level's run. */
export function levelOf(users: number, summary: Summary, work: readonly Work[]): Level {
  const { metrics } = summary
  const time = metrics.answer_first_byte ?? metrics.http_req_duration
  const crossed = Object.values(metrics).some(({ thresholds = {} }) => Object.values(thresholds).some(({ ok }) => !ok))
  return {
    users,
    isServed: !crossed && iterationsOf(summary) > 0,
    perSecond: metrics.iterations?.values.rate ?? 0,
    p95Ms: time?.values['p(95)'] ?? 0,
    processors: work.length === 0 ? undefined : work.reduce((sum, { processors }) => sum + processors, 0),
  }
}

/** A table in Markdown, and the sentence that it leads to. */
export function tableOf(levels: readonly Level[]): readonly string[] {
  const rows = levels.map(({ users, isServed, perSecond, p95Ms, processors }) => {
    const used = processors === undefined ? 'unknown' : processors.toFixed(2)
    return `| ${users} | ${perSecond.toFixed(1)} | ${Math.round(p95Ms)} ms | ${used} | ${isServed ? 'yes' : 'no'} |`
  })
  return [
    '| virtual users at once | completed per second | p95 | processors used by Parley | thresholds met |',
    '|---|---|---|---|---|',
    ...rows,
    capacityOf(levels),
  ]
}

function capacityOf(levels: readonly Level[]): string {
  const best = levels.findLast(({ isServed }) => isServed)
  if (best === undefined) return 'Not even the first level met the thresholds'
  const { users, processors } = best
  if (processors === undefined)
    return `Served at once: ${users} (for users per processor give --metrics URL, once for each process)`
  return `Served at once: ${users}, ${(users / processors).toFixed(0)} per processor that Parley used`
}
