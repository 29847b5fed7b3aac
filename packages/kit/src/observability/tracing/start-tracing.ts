import type { Closable } from '../../service/engine.ts'
import type { Logger } from '../log.ts'

/** The collector of spans, and the service that they belong to. */
export interface TracingOptions {
  /** The process's name in traces; each span also names its service. */
  readonly name: string
  /** Base URL of a collector that speaks OTLP over HTTP; without it nothing is recorded, and nothing that could is loaded. */
  readonly endpoint: string | undefined
  readonly log: Logger
}

/** Starts to record the spans of this process, once. Closing it sends those that are left, for 3 s at most. */
export async function startTracing({ name, endpoint, log }: TracingOptions): Promise<Closable> {
  if (endpoint === undefined) return { close: () => undefined }
  const { exportTraces } = await import('./export-traces.ts')
  return exportTraces(name, endpoint, log)
}
