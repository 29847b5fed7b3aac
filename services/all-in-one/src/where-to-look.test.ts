import { expect, it } from 'vitest'
import { whereToLook } from './where-to-look.ts'

const off = {
  HOST: '127.0.0.1',
  LOG_LEVEL: 'info',
  METRICS_PORT: undefined,
  OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
} as const

it('a start without metrics and traces prints nothing about them', () => {
  expect(whereToLook(off)).toEqual([])
})

it('an observed start without a collector prints the metrics URL, how to turn traces on, and the log format', () => {
  expect(whereToLook({ ...off, METRICS_PORT: 9090 })).toEqual([
    'Metrics: http://127.0.0.1:9090, listed in deploy/METRICS.md',
    'Traces: off (OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318)',
    'Log: one JSON object per line on this output, level info and above, with traceId and spanId within a trace',
  ])
})

it('the metrics URL of an IPv6 address has it in brackets', () => {
  expect(whereToLook({ ...off, HOST: '::', METRICS_PORT: 9090 })[0]).toContain('http://[::]:9090,')
})

it('an observed start with a collector prints the traces URL', () => {
  const lines = whereToLook({ ...off, METRICS_PORT: 9090, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://tempo:4318' })
  expect(lines).toContain('Traces: http://tempo:4318/v1/traces')
})
