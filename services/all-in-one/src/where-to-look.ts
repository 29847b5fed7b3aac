import { hostInUrl } from '@parley/kit'
import type { AllInOneConfig } from './config.ts'

type Watched = Pick<AllInOneConfig, 'HOST' | 'METRICS_PORT' | 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'LOG_LEVEL'>

/** Lines that tell the operator where metrics, traces and logs are; none if metrics and traces are off. */
export function whereToLook({
  HOST,
  METRICS_PORT,
  OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  LOG_LEVEL,
}: Watched): string[] {
  if (METRICS_PORT === undefined && collector === undefined) return []
  const metrics = METRICS_PORT === undefined ? 'off (METRICS_PORT=9090)' : `http://${hostInUrl(HOST)}:${METRICS_PORT}`
  const traces =
    collector === undefined ? 'off (OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318)' : `${collector}/v1/traces`
  return [
    `Metrics: ${metrics}, listed in deploy/METRICS.md`,
    `Traces: ${traces}`,
    `Log: one JSON object per line on this output, level ${LOG_LEVEL} and above, with traceId and spanId within a trace`,
  ]
}
