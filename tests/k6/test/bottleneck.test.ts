import { expect, it } from 'vitest'
import { bottleneckOf, type Sample, sampleOf, workBetween } from '../src/bottleneck.ts'

const sample = (service: string, cpuSeconds: number): Sample => ({ service, cpuSeconds, eventLoopLagSeconds: 0.01 })

it('a service’s sample is parsed from its metrics', () => {
  const text = [
    '# TYPE process_cpu_seconds_total counter',
    'process_cpu_user_seconds_total{service="chat"} 1.5',
    'process_cpu_seconds_total{service="chat"} 2.25',
    'nodejs_eventloop_lag_p99_seconds{service="chat"} 0.012',
  ].join('\n')
  expect(sampleOf(text)).toEqual({ service: 'chat', cpuSeconds: 2.25, eventLoopLagSeconds: 0.012 })
  expect(sampleOf('<html>')).toBeUndefined()
})

it('the bottleneck of a load test is the service that used nearly all of a processor', () => {
  const work = workBetween([sample('chat', 10), sample('gateway', 5)], [sample('gateway', 14), sample('chat', 12)], 10)
  expect(work.map(({ service, processors }) => [service, processors])).toEqual([
    ['gateway', 0.9],
    ['chat', 0.2],
  ])
  expect(bottleneckOf(work)).toMatch(/^gateway used 0\.90 of one processor: more replicas/)
})

it('the bottleneck of a load test is none of the services when all of them had time left', () => {
  expect(bottleneckOf(workBetween([sample('chat', 1)], [sample('chat', 2)], 10))).toMatch(
    /^none of Parley's processes: chat used 0\.10/,
  )
})

it('a service restarted during a load test is left out of the bottleneck', () => {
  expect(workBetween([sample('chat', 10)], [sample('chat', 2)], 10)).toEqual([])
  expect(bottleneckOf([])).toMatch(/^unknown/)
})
