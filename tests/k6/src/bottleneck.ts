/** A process's metrics at one moment. */
export interface Sample {
  readonly service: string
  /** User and system time since its start. */
  readonly cpuSeconds: number
  /** The 99th percentile of the event loop lag. */
  readonly eventLoopLagSeconds: number
}

/** A service's activity between two samples. */
export interface Work {
  readonly service: string
  /** Processors in use; 1 is the maximum of a JavaScript process. */
  readonly processors: number
  readonly eventLoopLagSeconds: number
}

/** A service this busy makes its callers wait. */
const busyProcessors = 0.8

/** Parses Prometheus text. @returns undefined when it has no process metrics */
export function sampleOf(text: string): Sample | undefined {
  const read = (name: string) => new RegExp(`^${name}\\{[^}]*service="([^"]+)"[^}]*\\} (\\S+)`, 'm').exec(text)
  const [cpu, lag] = [read('process_cpu_seconds_total'), read('nodejs_eventloop_lag_p99_seconds')]
  if (cpu === null || lag === null) return undefined
  return { service: cpu[1] ?? '', cpuSeconds: Number(cpu[2]), eventLoopLagSeconds: Number(lag[2]) }
}

/** Each service's activity, the busiest first; a service restarted in between is left out. */
export function workBetween(before: readonly Sample[], after: readonly Sample[], seconds: number): readonly Work[] {
  return after
    .flatMap(({ service, cpuSeconds, eventLoopLagSeconds }) => {
      const since = before.find((one) => one.service === service)
      if (since === undefined || since.cpuSeconds > cpuSeconds) return []
      return { service, processors: (cpuSeconds - since.cpuSeconds) / seconds, eventLoopLagSeconds }
    })
    .toSorted((a, b) => b.processors - a.processors)
}

/** A sentence that names the bottleneck of a run. */
export function bottleneckOf(work: readonly Work[]): string {
  const [busiest] = work
  if (busiest === undefined) return 'unknown: no metrics were read (--metrics URL, once for each service)'
  const share = `${busiest.service} used ${busiest.processors.toFixed(2)} of one processor`
  if (busiest.processors >= busyProcessors) return `${share}: more replicas of it serve more`
  return `none of Parley's processes: ${share}, the most of all. Look at the engines, the provider, and at what made the load`
}
