import { type EventBus, openPgBus } from '@parley/bus'
import type { Counter, Signal } from '@parley/cache'
import { openMemoryHub } from '@parley/cache'
import {
  type CompletionBody,
  type CompletionLine,
  type Model,
  modelAdminRoutes,
  modelInternalRoutes,
  type Principal,
  type ServiceName,
} from '@parley/contracts'
import {
  createLogger,
  createMetrics,
  createServiceClient,
  type IdentityCodec,
  newId,
  startService,
  systemClock,
} from '@parley/kit'
import type { ResolveHost } from '@parley/kit/egress'
import {
  type ApiCaller,
  adminPrincipal,
  apiClient,
  collect,
  type FakeErasures,
  type FakeProvider,
  printInternalError,
  readLines,
  servicePrincipal,
  startFakeErasures,
  startFakeProvider,
  testDatabase,
  testIdentity,
} from '@parley/testing'
import { expect } from 'vitest'
import type { BreakerRules } from '../src/completion/circuit-breaker.ts'
import type { Timeouts } from '../src/completion/timeouts.ts'
import { type Providers, publicBaseUrls } from '../src/providers.ts'
import { createLlmRouterService } from '../src/service.ts'
import { openLlmRouterStores } from '../src/store/index.ts'

/** Must not appear in any response, line or log. */
export const apiKey = 'sk-canary-4f7d'
/** The key as a provider's account. */
export const account = { apiKeys: [apiKey] }

/** A real router on a fresh database, with one fake that plays all providers. */
export interface GivenRouter {
  readonly url: string
  readonly provider: FakeProvider
  readonly signal: Signal
  readonly counter: Counter
  /** Everything the service has logged. */
  readonly logged: () => string
  readonly identity: IdentityCodec
  readonly admin: ApiCaller
  as(principal: Principal): ApiCaller
  readonly chat: ApiCaller
  readonly bus: EventBus
  readonly erasures: FakeErasures
  /** Registers a model of the fake provider. */
  model(fields: Partial<Model> & { id: string }): Promise<Model>
  /** Like SIGTERM: no new calls, and running ones have `graceMs` to end. */
  leave(graceMs: number): Promise<void>
  stop(): Promise<void>
}
interface Options {
  readonly providers?: (provider: FakeProvider) => Partial<Providers>
  readonly timeouts?: Partial<Timeouts>
  readonly allowedPrivateHosts?: readonly string[]
  readonly responseRetentionDays?: number
  readonly resolveHost?: ResolveHost
  /** Plenty by default, so that tests do not share a budget. */
  readonly retryReserve?: number
  /** Never opens by default, so that tests do not affect each other. */
  readonly breaker?: BreakerRules
  /** The URLs of other services; undefined means a fake auth that knows erasures. */
  readonly locate?: (service: ServiceName) => string | undefined
  /** The callers' identity; its own by default. */
  readonly identity?: IdentityCodec
  /** Replaces the in-memory counter; the caller closes it. */
  readonly counter?: Counter
}

export async function givenRouter(options: Options = {}): Promise<GivenRouter> {
  const [database, provider] = await Promise.all([testDatabase(), startFakeProvider()])
  // Preloaded, because tests shorten the deadlines.
  await Promise.all([import('openai'), import('@anthropic-ai/sdk'), import('gpt-tokenizer/encoding/cl100k_base')])
  const lines: string[] = []
  const log = createLogger('llm-router', 'trace', {
    write(line) {
      lines.push(line)
      printInternalError(line)
    },
  })
  const hub = openMemoryHub({ log })
  const { counter: ownCounter, signal, streamLog } = hub.open('llm-router')
  const counter = options.counter ?? ownCounter
  const stores = openLlmRouterStores({ url: database.url, log })
  const identity = options.identity ?? testIdentity()
  const bus = await openPgBus({ url: database.url, log })
  const erasures = await startFakeErasures('llm-router', identity)
  const client = createServiceClient({
    ...{ self: 'llm-router', identity },
    locate: (name) => options.locate?.(name) ?? erasures.url,
  })
  const service = createLlmRouterService({
    config: {
      providers: { ...fakeProviders(provider), ...options.providers?.(provider) },
      allowedPrivateHosts: options.allowedPrivateHosts ?? ['127.0.0.1'],
      responseRetentionDays: options.responseRetentionDays ?? 30,
    },
    stores,
    counter,
    signal,
    streamLog,
    bus,
    client,
    identity,
    metrics: createMetrics('llm-router', false),
    log,
    now: systemClock,
    newId,
    retryReserve: options.retryReserve ?? 1_000,
    timeouts: { retryDelays: [1, 1], ...options.timeouts },
    breaker: options.breaker ?? { failures: Number.POSITIVE_INFINITY, restMs: 0 },
    ...(options.resolveHost && { resolveHost: options.resolveHost }),
  })
  const running = await startService(service, { host: '127.0.0.1', port: 0 })
  const api = apiClient(running.url, identity)
  const admin = api.as(adminPrincipal({ userId: 'admin-1' }))
  return {
    url: running.url,
    provider,
    signal,
    counter,
    identity,
    bus,
    erasures,
    admin,
    as: (principal) => api.as(principal),
    chat: api.as(servicePrincipal('chat')),
    logged: () => lines.join(''),
    async model(fields) {
      const body = { name: fields.id, group: 'Test', provider: 'deepseek', ...fields } as const
      const answer = await admin.call(modelAdminRoutes.create, { body })
      expect(answer.status, answer.text).toBe(201)
      return answer.body.model
    },
    leave: (graceMs) => running.stop(graceMs),
    async stop() {
      await running.stop(0)
      await provider.close()
      await Promise.all([hub.close(), bus.close(), erasures.close(), client.close()])
      await stores.close()
      await database.drop()
    },
  }
}

const fakeProviders = (provider: FakeProvider): Providers => {
  const openai = { ...account, baseUrl: provider.openaiUrl }
  const anthropic = { ...account, baseUrl: provider.url }
  return {
    openai,
    anthropic,
    deepseek: openai,
    xai: openai,
    google: openai,
    openrouter: { apiKeys: [], baseUrl: publicBaseUrls.openrouter },
  }
}

/** A prompt of one word. */
export const promptOf = (model: string, parts: Partial<CompletionBody> = {}): CompletionBody => ({
  generationId: 'generation-1',
  model,
  messages: [{ role: 'user', content: 'Hello' }],
  allowLocked: false,
  ...parts,
})

/** Runs a completion to its end; resolves to the lines of a 200, or to the refusal. */
export async function completion(router: GivenRouter, model: string, parts: Partial<CompletionBody> = {}) {
  const answer = await router.chat.stream(modelInternalRoutes.complete, { body: promptOf(model, parts) })
  if (answer.status === 200) {
    const lines = await collect(readLines<CompletionLine>(answer))
    return { status: 200, headers: answer.headers, lines, text: textOf(lines), last: lines.at(-1) }
  }
  const body = (await answer.body.json()) as { error: string; code: string }
  return { status: answer.status, headers: answer.headers, body, lines: [], text: '', last: undefined }
}

/** The text in an answer's lines. */
export const textOf = (lines: readonly CompletionLine[], type: 'text' | 'reasoning' = 'text'): string =>
  lines.map((line) => (line.type === type ? line.text : '')).join('')
