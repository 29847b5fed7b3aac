/** What a process reported of itself at one moment, by its metrics. */
export interface Sample {
  readonly service: string
  /** Of user and system together, since its start. */
  readonly cpuSeconds: number
  /** The 99th percentile of what a timer was late. */
  readonly eventLoopLagSeconds: number
}

/** What a service did between two samples. */
export interface Work {
  readonly service: string
  /** Processors that it kept busy: 1 is all that one process of JavaScript can use. */
  readonly processors: number
  readonly eventLoopLagSeconds: number
}

/** A service as busy as this keeps others waiting. */
const busyProcessors = 0.8

/** Reads what a sample needs of Prometheus' text. @returns undefined when the text has nothing of a process */
export function sampleOf(text: string): Sample | undefined {
  const read = (name: string) => new RegExp(`^${name}\\{[^}]*service="([^"]+)"[^}]*\\} (\\S+)`, 'm').exec(text)
  const [cpu, lag] = [read('process_cpu_seconds_total'), read('nodejs_eventloop_lag_p99_seconds')]
  if (cpu === null || lag === null) return undefined
  return { service: cpu[1] ?? '', cpuSeconds: Number(cpu[2]), eventLoopLagSeconds: Number(lag[2]) }
}

/** What each service did, the busiest first; one that was started anew in between is left out. */
export function workBetween(before: readonly Sample[], after: readonly Sample[], seconds: number): readonly Work[] {
  return after
    .flatMap(({ service, cpuSeconds, eventLoopLagSeconds }) => {
      const since = before.find((one) => one.service === service)
      if (since === undefined || since.cpuSeconds > cpuSeconds) return []
      return { service, processors: (cpuSeconds - since.cpuSeconds) / seconds, eventLoopLagSeconds }
    })
    .toSorted((a, b) => b.processors - a.processors)
}

/** In words, what kept a run from being faster. */
export function bottleneckOf(work: readonly Work[]): string {
  const [busiest] = work
  if (busiest === undefined) return 'unknown: no metrics were read (--metrics URL, once for each service)'
  const share = `${busiest.service} used ${busiest.processors.toFixed(2)} of one processor`
  if (busiest.processors >= busyProcessors) return `${share}: more replicas of it serve more`
  return `none of Parley's processes: ${share}, the most of all. Look at the engines, the provider, and at what made the load`
}
