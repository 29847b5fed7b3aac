import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import manifest from '../../../package.json' with { type: 'json' }
import { withTimeout } from '../../async/with-timeout.ts'
import { reasonOf } from '../../errors/reason-of.ts'
import type { Closable } from '../../service/engine.ts'
import type { Logger } from '../log.ts'
import { followEntrance } from './config.ts'

/** A collector that does not answer must not use up the time that running answers have at the end. Milliseconds. */
const closingMs = 3_000

/** Sends spans in batches to a collector, as `OTEL_TRACES_SAMPLER` and `OTEL_BSP_*` say. */
export function exportTraces(name: string, endpoint: string, log: Logger): Closable {
  const warn = (message: string): void => log.warn({ reason: message }, 'traces were not sent')
  const nothing = (): void => undefined
  diag.setLogger({ error: warn, warn, info: nothing, debug: nothing, verbose: nothing }, DiagLogLevel.WARN)
  followEntrance()
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': name, 'service.version': manifest.version }),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })),
    ],
  })
  provider.register()
  return {
    async close() {
      await withTimeout(closingMs, provider.shutdown()).catch((error: unknown) => warn(reasonOf(error)))
      for (const api of [trace, context, propagation, diag]) api.disable()
    },
  }
}
