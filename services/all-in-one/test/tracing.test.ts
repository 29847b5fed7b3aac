import { text } from 'node:stream/consumers'
import { type Closable, createLogger, currentTraceparent, inSpan, startTracing } from '@parley/kit'
import { collect, readEvents, startTestServer, untilPasses } from '@parley/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openWorld, type Person, type World } from './given.ts'

/** A span as received by a collector. */
interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly traceState?: string
  /** The service that recorded it. */
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
  const server = await startTestServer(async (request, response) => {
    const { resourceSpans } = JSON.parse(await text(request)) as Export
    const scopes = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans)
    spans.push(...scopes.flatMap(({ scope, spans: some }) => some.map((span) => ({ ...span, scope: scope.name }))))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  return { ...server, spans }
}

const log = createLogger('test', 'silent')
const smallId = `${'0'.repeat(31)}1`
const browser = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
const traceparent = `00-${browser.traceId}-${browser.spanId}-00`

describe('traces', () => {
  let world: World
  let collector: Awaited<ReturnType<typeof startCollector>>
  let tracing: Closable | undefined
  beforeAll(async () => {
    collector = await startCollector()
    world = await openWorld()
  })
  beforeEach(() => {
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '100')
    collector.spans.length = 0
  })
  afterEach(async () => {
    await tracing?.close()
    tracing = undefined
    vi.unstubAllEnvs()
  })
  afterAll(async () => {
    await world.close()
    await collector.close()
  })
  const start = async (endpoint: string | undefined): Promise<void> => {
    tracing = await startTracing({ name: 'parley', endpoint, log })
  }

  /** Sends a message, and reads its answer to the end. */
  const ask = async ({ api }: Person, headers: Readonly<Record<string, string>>) => {
    world.provider.reply({ chunks: ['Fine.'], usage: { inputTokens: 1, outputTokens: 1 } })
    const body = { message: 'How are you?', model: 'v3' }
    const answer = await api.open('POST', '/api/chat', { body, headers })
    expect(answer.status).toBe(200)
    await collect(readEvents(answer))
    return answer
  }

  it('are not recorded without a collector: no context is stored, and nothing is sent', async () => {
    await start(undefined)
    expect(await inSpan('chat', 'work', { traceparent }, async () => currentTraceparent())).toBeUndefined()
    expect(collector.spans).toEqual([])
  })

  it('follow a message from the browser through gateway, chat and llm-router to the provider, and its event to billing', async () => {
    const ann = await world.register()
    await start(collector.url)
    const { headers } = await ask(ann, { traceparent })
    expect(headers['x-request-id']).toBe(browser.traceId)
    const find = (scope: string, name: string): Span | undefined =>
      collector.spans.find((span) => span.scope === scope && span.name === name && span.traceId === browser.traceId)
    /** The services on the path of a span, last first. */
    const wayOf = (span: Span | undefined): string[] =>
      span === undefined ? [] : [span.scope, ...wayOf(collector.spans.find((one) => one.spanId === span.parentSpanId))]
    // A span is sent when it has ended; the gateway's span ends with its connection, after the answer.
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

  it.each([
    ['by the sampled flag', 'parentbased_always_off', '1', `00-${browser.traceId}-${browser.spanId}-01`],
    // Ids are compared as numbers.
    ['by an id within the ratio', 'parentbased_traceidratio', '0.000001', `00-${smallId}-${browser.spanId}-01`],
    ['by an id within the ratio of a root sampler', 'traceidratio', '0.000001', `00-${smallId}-${browser.spanId}-01`],
  ])('cannot be forced by a caller %s', async (_how, sampler, ratio, said) => {
    const ann = await world.register()
    vi.stubEnv('OTEL_TRACES_SAMPLER', sampler)
    vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', ratio)
    await start(collector.url)
    await ask(ann, { traceparent: said })
    // Flushes ended spans, such as the call of the provider.
    await tracing?.close()
    expect(collector.spans).toEqual([])
  })

  it('accept nothing from a caller but the two ids of the standard format', async () => {
    const ann = await world.register()
    await start(collector.url)
    for (const said of [
      '',
      'x'.repeat(55),
      traceparent.toUpperCase(),
      `${traceparent}-01`,
      traceparent.replaceAll('a', '0'),
    ]) {
      const { headers } = await ask(ann, { traceparent: said, tracestate: 'vendor=1', baggage: 'user=root' })
      expect(headers['x-request-id']).not.toBe(browser.traceId)
    }
    await ask(ann, { traceparent, tracestate: 'vendor=1', baggage: 'user=root' })
    await untilPasses(() => {
      const calls = collector.spans.filter(({ name }) => name === 'provider deepseek')
      expect(calls.length).toBeGreaterThanOrEqual(6)
      expect(collector.spans.filter(({ traceState }) => traceState !== undefined)).toEqual([])
    })
  })

  it('are referenced by the log lines written within them', async () => {
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
