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
import { testIdentity, testLog } from '@parley/testing'
import { parseTrustedProxies } from '../src/config.ts'
import type { RelayTimes } from '../src/http/relay.ts'
import { createGatewayService } from '../src/service.ts'
import { type Backend, type Received, startBackend } from './backend.ts'
import { type FakeAuth, startFakeAuth } from './fake-auth.ts'

const identity = testIdentity()
export const publicUrl = 'http://parley.test'

/** A running gateway, what stands behind it, and what its services were told of the caller. */
export interface Given {
  readonly url: string
  readonly gateway: RunningService
  /** As a replica is that was told to go and still listens. */
  drain(): void
  readonly auth: FakeAuth
  readonly chat: Backend
  readonly hub: MemoryHub
  readonly metrics: Registry
  /** The principal that a received request carries. */
  principal(received: Pick<Received, 'headers'> | undefined): Principal | undefined
  close(): Promise<void>
}

/** What a test may choose. */
export interface GivenOptions {
  readonly trustedProxies?: string
  readonly publicUrl?: string
  readonly now?: Clock
  /** Of several replicas: the one they share, which is closed by whoever opened it. */
  readonly auth?: FakeAuth
  /** Instead of one of the hub; closed by whoever opened it. */
  readonly cache?: Pick<CacheEngine, 'counter' | 'signal'>
  /** Where calls of chat are led instead of to its backend, asked for each of them; undefined leads to the backend. */
  readonly chatUrl?: () => string | undefined
  /** Where realtime is; nowhere unless told. */
  readonly realtimeUrl?: () => string
  /** Where other services are. */
  readonly urls?: Partial<Record<ServiceName, () => string>>
  /** How long services may be silent, instead of the product's own times. */
  readonly relayTimes?: RelayTimes
  /** Instead of one that says nothing. */
  readonly log?: Logger
}

/** Boots the real gateway over fake services. */
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
    // Where its clients call it.
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
  return {
    url: gateway.url,
    gateway,
    drain: () => service.drain(),
    auth,
    chat,
    hub,
    metrics,
    principal: (received) => identity.verify(received?.headers[identityHeader] as string | undefined),
    async close() {
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

/** A port nobody listens on. */
export const closed = 'http://127.0.0.1:9'

/** What the build leaves, compressed beside it. */
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
