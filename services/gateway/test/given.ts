import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type CacheEngine, type MemoryHub, openMemoryHub } from '@parley/cache'
import type { Principal, ServiceName } from '@parley/contracts'
import {
  type Clock,
  createLiveSettings,
  createMetrics,
  createServiceClient,
  identityHeader,
  type Logger,
  type Registry,
  type RunningService,
  startService,
  systemClock,
} from '@parley/kit'
import { type ApiCaller, type ApiClient, apiClient, testIdentity, testLog } from '@parley/testing'
import { parseTrustedProxies } from '../src/config.ts'
import type { RelayTimes } from '../src/deps.ts'
import { createGatewayService } from '../src/service.ts'
import { type Backend, type Received, startBackend } from './backend.ts'
import { type FakeAuth, plainRights, startFakeAuth } from './fake-auth.ts'

/** The keys of all services. */
export const identity = testIdentity()
export const publicUrl = 'http://parley.test'

/** A running gateway, its backends, and the identities that they received. */
export interface Given {
  readonly url: string
  /** An anonymous client of it. */
  readonly api: ApiClient
  readonly gateway: RunningService
  /** Puts the gateway into the state of a draining replica that still listens. */
  drain(): void
  readonly auth: FakeAuth
  readonly chat: Backend
  readonly hub: MemoryHub
  readonly metrics: Registry
  /** A client of a user with plain rights. */
  signIn(userId: string): Promise<ApiCaller>
  /** The principal in a received request. */
  principal(received: Pick<Received, 'headers'> | undefined): Principal | undefined
  close(): Promise<void>
}

/** Options for a test. */
export interface GivenOptions {
  readonly trustedProxies?: string
  readonly publicUrl?: string
  readonly now?: Clock
  /** Auth shared by several replicas; the caller closes it. */
  readonly auth?: FakeAuth
  /** Replaces the hub's cache; the caller closes it. */
  readonly cache?: Pick<CacheEngine, 'counter' | 'signal'>
  /** The URL for calls of chat, evaluated per call; undefined means its backend. */
  readonly chatUrl?: () => string | undefined
  /** The URL of realtime; unreachable by default. */
  readonly realtimeUrl?: () => string
  /** The URLs of other services. */
  readonly urls?: Partial<Record<ServiceName, () => string>>
  /** Overrides how long services may be silent. */
  readonly relayTimes?: RelayTimes
  /** Replaces the silent logger. */
  readonly log?: Logger
}

/** Starts the real gateway with fake services. */
export async function givenGateway(options: GivenOptions = {}): Promise<Given> {
  const now = options.now ?? systemClock
  const log = options.log ?? testLog
  const hub = openMemoryHub({ log })
  const auth = options.auth ?? (await startFakeAuth())
  const [chat, share, webDir] = [await startBackend(), await startBackend(), await builtApp()]
  const urls: Partial<Record<ServiceName, () => string>> = {
    chat: () => options.chatUrl?.() ?? chat.url,
    auth: () => auth.url,
    realtime: options.realtimeUrl,
    share: () => share.url,
    ...options.urls,
  }
  const locate = (service: ServiceName): string => urls[service]?.() ?? closed
  const client = createServiceClient({ self: 'gateway', locate, identity })
  const metrics = createMetrics('gateway', false)
  const { counter, signal } = options.cache ?? hub.open('gateway')
  const service = createGatewayService({
    publicUrl: options.publicUrl ?? publicUrl,
    // The origin used by its clients.
    extraOrigins: ['http://127.0.0.1'],
    trustedProxies: parseTrustedProxies(options.trustedProxies ?? ''),
    webDir,
    counter,
    signal,
    settings: createLiveSettings(client, now),
    client,
    locate,
    identity,
    metrics,
    log,
    now,
    relayTimes: options.relayTimes,
  })
  const gateway = await startService(service, { host: '127.0.0.1', port: 0 })
  const api = apiClient(gateway.url)
  return {
    url: gateway.url,
    api,
    gateway,
    drain: () => service.drain(),
    auth,
    chat,
    hub,
    metrics,
    async signIn(userId) {
      auth.users.set(userId, { active: true, rights: plainRights })
      return api.with({ authorization: `Bearer ${await auth.token(userId)}` })
    },
    principal: (received) => identity.verify(received?.headers[identityHeader] as string | undefined),
    async close() {
      await api.close()
      await gateway.stop(0)
      await Promise.all([
        client.close(),
        hub.close(),
        options.auth ?? auth.close(),
        chat.close(),
        share.close(),
        rm(webDir, { recursive: true }),
      ])
    },
  }
}

/** A port that nothing listens on. */
export const closed = 'http://127.0.0.1:9'

/** Build output with compressed variants. */
export const builtFiles = {
  'index.html': '<!doctype html><title>Parley</title>',
  'assets/main-abc123.js': 'export const words = "many, many, many, many words"',
} as const

async function builtApp(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-web-'))
  await mkdir(join(folder, 'assets'))
  for (const [name, text] of Object.entries(builtFiles)) {
    await writeFile(join(folder, name), text)
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(text))
    await writeFile(join(folder, `${name}.gz`), gzipSync(text))
  }
  await writeFile(join(folder, 'assets', 'plain-abc123.js'), 'export {}')
  return folder
}
