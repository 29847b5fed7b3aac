import type { AllInOneConfig } from './config.ts'

type Watched = Pick<AllInOneConfig, 'HOST' | 'METRICS_PORT' | 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'LOG_LEVEL'>

/** Where an operator finds what a process tells of itself, in lines; none where metrics and traces are off. */
export function whereToLook({
  HOST,
  METRICS_PORT,
  OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  LOG_LEVEL,
}: Watched): string[] {
  if (METRICS_PORT === undefined && collector === undefined) return []
  const metrics = METRICS_PORT === undefined ? 'off (METRICS_PORT=9090)' : `http://${HOST}:${METRICS_PORT}`
  const traces =
    collector === undefined ? 'off (OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318)' : `${collector}/v1/traces`
  return [
    `Metrics: ${metrics}, listed in deploy/METRICS.md`,
    `Traces: ${traces}`,
    `Log: one JSON object per line on this output, from level ${LOG_LEVEL} on, with traceId and spanId within a trace`,
  ]
}
