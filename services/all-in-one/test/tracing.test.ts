import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Closable, createLogger, currentTraceparent, inSpan, startTracing } from '@parley/kit'
import { collect, readEvents, untilPasses } from '@parley/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openWorld, type World } from './given.ts'

/** A span as it arrives at a collector. */
interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** The service that it is of. */
  readonly scope: string
}

interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string }
      readonly spans: readonly Omit<Span, 'scope'>[]
    }[]
  }[]
}

/** A collector that speaks OTLP over HTTP, in JSON. */
async function startCollector() {
  const spans: Span[] = []
  const server = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse(await text(request)) as Export
    const scopes = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans)
    spans.push(...scopes.flatMap(({ scope, spans: some }) => some.map((span) => ({ ...span, scope: scope.name }))))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { spans, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

const log = createLogger('test', 'silent')
const browser = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
const traceparent = `00-${browser.traceId}-${browser.spanId}-01`

describe('traces', () => {
  let world: World
  let collector: Awaited<ReturnType<typeof startCollector>>
  let tracing: Closable | undefined
  beforeAll(async () => {
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '100')
    collector = await startCollector()
    world = await openWorld()
  })
  afterEach(async () => {
    await tracing?.close()
    tracing = undefined
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await world.close()
    collector.close()
  })
  const start = async (endpoint: string | undefined): Promise<void> => {
    tracing = await startTracing({ name: 'parley', endpoint, log })
  }

  it('are not made without a collector: no context is kept, and nothing is sent', async () => {
    await start(undefined)
    expect(await inSpan('chat', 'work', { traceparent }, async () => currentTraceparent())).toBeUndefined()
    expect(collector.spans).toEqual([])
  })

  it('follow a message from the browser through gateway, chat and llm-router to the provider, and its event to billing', async () => {
    const ann = await world.register()
    await start(collector.url)
    world.provider.reply({ chunks: ['Fine.'], usage: { inputTokens: 1, outputTokens: 1 } })
    const body = { message: 'How are you?', model: 'v3' }
    await collect(readEvents(await ann.api.open('POST', '/api/chat', { body, headers: { traceparent } })))
    const find = (scope: string, name: string): Span | undefined =>
      collector.spans.find((span) => span.scope === scope && span.name === name && span.traceId === browser.traceId)
    /** The services that a span came through, the last one first. */
    const wayOf = (span: Span | undefined): string[] =>
      span === undefined ? [] : [span.scope, ...wayOf(collector.spans.find((one) => one.spanId === span.parentSpanId))]
    // A span is sent when it has ended: that of the gateway's call ends with its connection, after the answer.
    await untilPasses(() => {
      expect([...new Set(wayOf(find('llm-router', 'provider deepseek')))]).toEqual(['llm-router', 'chat', 'gateway'])
      expect([...new Set(wayOf(find('billing', 'process chat.generation-finished')))]).toEqual([
        'billing',
        'chat',
        'gateway',
      ])
      const received = collector.spans.filter(({ parentSpanId }) => parentSpanId === browser.spanId)
      expect(received.map(({ scope, name }) => `${scope} ${name}`)).toEqual(['gateway POST /api/chat'])
    })
  })

  it('are named in the log lines that are written within them', async () => {
    await start(collector.url)
    const lines: string[] = []
    const own = createLogger('test', 'info', { write: (line) => void lines.push(line) })
    await inSpan('chat', 'work', { traceparent }, async () => own.info('within'))
    own.info('outside')
    const [within, outside] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(within).toMatchObject({ traceId: browser.traceId, spanId: expect.stringMatching(/^[0-9a-f]{16}$/) })
    expect(outside).not.toHaveProperty('traceId')
  })
})
