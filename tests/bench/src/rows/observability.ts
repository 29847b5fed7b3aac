import { createServer } from 'node:http'
import { freePort } from '@parley/kit'
import { compareCpu } from '../cpu-ratio.ts'
import { listen } from '../listen.ts'
import { type Parley, startParley } from '../parley.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'

const most = 1.05
const scrapeMs = 5_000

/** O1: CPU per answered chat with metrics scraped and every trace exported, over the same system without either. */
export async function measureObservability({ plan, stub, stubUrl, load, parley }: Whole): Promise<Row[]> {
  await stub.ask('pace', { tokens: 50, everyMs: 20, padding: 0 })
  await using group = new AsyncDisposableStack()
  let spans = 0
  const collector = createServer(async (request, response) => {
    for await (const part of request) spans += part.length
    response.end()
  })
  group.defer(() => void collector.close())
  const metricsPort = await freePort()
  const observed = await startParley(`${stubUrl}/v1`, {
    variables: { METRICS_PORT: String(metricsPort), OTEL_EXPORTER_OTLP_ENDPOINT: await listen(collector) },
  })
  group.defer(() => observed.stop())
  let scrapes = 0
  const scraping = setInterval(async () => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
    if (response.ok && (await response.text()).includes('process_cpu')) scrapes += 1
  }, scrapeMs)
  group.defer(() => clearInterval(scraping))
  const chatsOf = (system: Parley) => ({ system, target: system.chat() })
  const { ratios, costs } = await compareCpu(
    { load, rounds: plan.rounds, calls: plan.apiCalls },
    { measured: chatsOf(observed), baseline: chatsOf(parley) },
  )
  return [
    {
      id: 'O1',
      goal: `CPU per chat answered, metrics and traces on / off (${costs}; ${scrapes} scrapes, ${(spans / 1_000).toFixed(0)} kB of spans)`,
      measured: withSpread(ratios, 2, ' ×'),
      limit: `≤ ${most} ×`,
      met: median(ratios) <= most && scrapes > 0 && spans > 0,
    },
  ]
}
