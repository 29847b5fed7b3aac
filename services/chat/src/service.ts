import { type EventBus, type Relay, startRelay, subscribeAll } from '@parley/bus'
import type { CacheEngine } from '@parley/cache'
import {
  type Clock,
  createCheapestModel,
  createHttpApp,
  createLagWatch,
  createLimiter,
  createLiveSettings,
  every,
  type IdentityCodec,
  type Logger,
  type NewId,
  type Periodic,
  type Registry,
  type Service,
  type ServiceClient,
} from '@parley/kit'
import { createEgress, createEndpointGuard, type PageFetcher, resolveBySystem } from '@parley/kit/egress'
import { createChatChanges } from './changes.ts'
import type { ChatServiceConfig } from './config.ts'
import { chatSubscriptions } from './consumers.ts'
import { createFilePool } from './files/file-pool.ts'
import { createFiles } from './files/files.ts'
import { createFollowUps } from './follow-ups/follow-ups.ts'
import { createCharges } from './generation/charges.ts'
import { createPresence } from './generation/presence.ts'
import { createRunningGenerations } from './generation/running-generations.ts'
import { createStopper } from './generation/stopper.ts'
import { createSweeper } from './generation/sweeper.ts'
import { type ChatTiming, defaultTiming } from './generation/timing.ts'
import { createGenerationMetrics } from './generation-metrics.ts'
import { createGuestAllowance } from './guests/guest-allowance.ts'
import { createGuestSessions } from './guests/guest-session.ts'
import { createImageMaker } from './images/image-maker.ts'
import { createRecall } from './memory/recall.ts'
import { createModelDirectory } from './model-directory.ts'
import { addAnswerRoutes } from './routes/answer-routes.ts'
import { createBodyMemory, type MemoryBounds } from './routes/body-memory.ts'
import { addChatRoutes } from './routes/chat-routes.ts'
import { addFileRoutes } from './routes/file-routes.ts'
import { addImageRoutes } from './routes/image-routes.ts'
import { addLargeBodyBounds } from './routes/large-bodies.ts'
import { addLiveRoutes } from './routes/live-routes.ts'
import { addRemovalRoutes } from './routes/removal-routes.ts'
import { addShareRoutes } from './routes/share-routes.ts'
import { addThreadRoutes } from './routes/thread-routes.ts'
import { addToolRoutes } from './routes/tool-routes.ts'
import { addTransferRoutes } from './routes/transfer-routes.ts'
import { createPrompts } from './sending/prompts.ts'
import { createSender } from './sending/sender.ts'
import { createQuota } from './storage/quota.ts'
import type { GenerationStore } from './store/generation-store.ts'
import type { ChatStores } from './store/index.ts'
import { createTitler } from './titles/titler.ts'
import { createInstalledTools } from './tools/installed-tools.ts'
import { createImportJobs } from './transfer/import-jobs.ts'
import { shareImports } from './transfer/shared-imports.ts'
import { createWake } from './wake.ts'

export interface ChatServiceDeps {
  readonly config: ChatServiceConfig
  readonly stores: ChatStores
  readonly bus: EventBus
  readonly cache: Pick<CacheEngine, 'cache' | 'signal' | 'streamLog' | 'health'>
  readonly client: ServiceClient
  /** For addresses that users provide. */
  readonly pages: PageFetcher
  readonly identity: IdentityCodec
  readonly metrics: Registry
  readonly log: Logger
  readonly now: Clock
  readonly newId: NewId
  /** No other process uses the stores: answers that are generating at the start belong to a dead one, and need not wait for their leases. */
  readonly isOnlyReplica?: boolean
  /** Instead of the product's own times. */
  readonly timing?: Partial<ChatTiming>
}

/** The service of chats and answers; opens nothing until it is started. */
export function createChatService(deps: ChatServiceDeps): Service {
  const parts = createParts(deps)
  const { running, images, timing } = parts
  let isDraining = false
  let background: Background | undefined
  const disconnectReaders = new AbortController()
  const drain = async (): Promise<void> => {
    isDraining = true
    // Remaining readers then read an answer that another replica makes, which they can do there.
    setTimeout(() => disconnectReaders.abort(), timing.drainMs + finalEventsMs).unref()
    await Promise.all([running.drain(timing.drainMs), images.drain(timing.drainMs)])
  }
  const draining = (): boolean => isDraining
  return {
    name: 'chat',
    handler: createHttpApp(
      {
        ...deps,
        checks: { store: () => deps.stores.ping() },
        // Events wait in the outbox, and the log and the caches are never the truth.
        outbox: deps.stores.outbox,
        optional: { bus: parts.lag.health, cache: () => deps.cache.health() },
        draining,
      },
      (router) => {
        addLargeBodyBounds(router, parts)
        addAnswerRoutes(router, { ...parts, draining, disconnectReaders: disconnectReaders.signal })
        addChatRoutes(router, parts)
        addRemovalRoutes(router, parts)
        addThreadRoutes(router, parts)
        addTransferRoutes(router, parts)
        addLiveRoutes(router, parts)
        addToolRoutes(router, parts)
        addFileRoutes(router, parts)
        addImageRoutes(router, { ...parts, draining })
        addShareRoutes(router, parts)
      },
    ),
    async start() {
      await deps.stores.migrate()
      if (deps.isOnlyReplica) await deps.stores.abandoned.endLeases()
      background = await startBackground(deps, parts)
    },
    // Its streams hold their readers' connections open, so the time that running answers have left starts here.
    drain: () => void drain(),
    async stop() {
      // Also for what was begun by sends that were under way.
      await drain()
      const stopping = background
      background = undefined
      await Promise.all([stopping?.stop(), parts.imports.stop(), parts.titler.stop()])
      await parts.egress.close()
      parts.pool.close()
    },
  }
}

/** How long readers of an answer that has just ended have to read its end, in milliseconds. */
const finalEventsMs = 500

/** How many sends are stored and paid for at once, and answers ended at once. With more, all would wait for connections until they time out. */
const sendsAtOnce = 8
const endsAtOnce = 8
/** Sends beyond this are refused at once. */
const sendsWaiting = 5_000

const megabyte = 1024 * 1024
/** Bytes of uploads and large sends, and of large imports, which are held for longer: a part of the container's memory, as the README says. */
const bodyBounds: MemoryBounds = { all: 64 * megabyte, network: 48 * megabyte }
const importBounds: MemoryBounds = { all: 96 * megabyte, network: 64 * megabyte }

/** Time-out for connecting to a tool's service, in milliseconds. */
const connectMs = 5_000

/** Hundreds of answers may end in one moment. */
function fewEndsAtOnce(store: GenerationStore): GenerationStore {
  const limiter = createLimiter(endsAtOnce, Number.POSITIVE_INFINITY)
  return {
    ...store,
    finish: (...end) => limiter.run(() => store.finish(...end)),
    noteSettled: (...settled) => limiter.run(() => store.noteSettled(...settled)),
  }
}

type Parts = ReturnType<typeof createParts>

/** Parts shared by the routes and the background work. */
function createParts(deps: ChatServiceDeps) {
  const { stores, cache, client, log, now, newId } = deps
  const timing: ChatTiming = { ...defaultTiming, ...deps.timing }
  const settings = createLiveSettings(client, now)
  const changes = createChatChanges(cache.signal, log)
  const wake = createWake(cache.signal, log)
  const models = createModelDirectory(client, now)
  const sessions = createGuestSessions(deps.config.CHAT_SECRETS, newId)
  const allowance = createGuestAllowance({ guests: stores.guests, settings, now })
  const charges = createCharges({ client, allowance, timing, log })
  const lease = { owner: newId(), ms: timing.leaseMs }
  const limiter = createLimiter(sendsAtOnce, sendsWaiting)
  const metrics = createGenerationMetrics(deps.metrics)
  const ending = { generations: fewEndsAtOnce(stores.generations), charges, changes, wake, metrics, log, now, newId }
  const presence = createPresence(cache.cache)
  const forTitles = createCheapestModel(deps, { prefix: 'chat_title', purpose: 'to title chats' })
  const forFollowUps = createCheapestModel(deps, { prefix: 'chat_follow_up', purpose: 'to suggest what to ask next' })
  const followUps = createFollowUps({ stores, settings, model: forFollowUps, cache: cache.cache, log })
  const titler = createTitler({ settings, model: forTitles, chats: stores.chats, changes, log })
  const making = { ...ending, titler, limiter, client, timing, presence, streamLog: cache.streamLog }
  const reader = { generations: stores.generations, cache, presence, timing, now }
  const running = createRunningGenerations(making)
  const pool = createFilePool()
  const quota = createQuota({ usage: stores.usage, settings })
  const files = createFiles({ files: stores.files, pool, pages: deps.pages, quota, now, newId })
  const egress = createEgress(createEndpointGuard([], resolveBySystem), connectMs)
  const { config, pages } = deps
  const thirdParties = { config, pages, fetch: egress.trusted, cache: cache.cache }
  const installed = createInstalledTools({ ...thirdParties, watchlists: stores.watchlists, log, now })
  const { toolbox } = installed
  const recall = createRecall({ client, memoryMs: timing.memoryMs, log, now })
  const prompts = createPrompts({ messages: stores.messages, files, toolbox, settings, recall, log, now })
  const stopper = createStopper({ ...stores, running, signal: cache.signal, wake, timing, log })
  const accepting = { limiter, models, allowance, running, prompts, recall, files, quota, changes, wake, reader }
  const sender = createSender({ ...accepting, stores, lease, log, now, newId })
  const paying = { models, charges, quota, client }
  const images = createImageMaker({ stores, files, ...paying, changes, wake, timing, log, now, newId })
  const recovering = { ...making, abandoned: stores.abandoned, owner: lease.owner }
  const sweeper = createSweeper({ ...recovering, isRunning: running.isRunning })
  return {
    lag: createLagWatch(deps),
    stores,
    pool,
    files,
    images,
    imports: createImportJobs(shareImports({ streamLog: cache.streamLog, timing, log })),
    bodies: createBodyMemory(bodyBounds),
    importBodies: createBodyMemory(importBounds),
    egress,
    installed,
    settings,
    quota,
    changes,
    wake,
    models,
    sessions,
    allowance,
    running,
    reader,
    stopper,
    titler,
    followUps,
    sender,
    lease,
    sweeper,
    timing,
    now,
    newId,
  }
}

interface Background {
  stop(): Promise<void>
}

async function startBackground(deps: ChatServiceDeps, parts: Parts): Promise<Background> {
  const { bus, cache, stores, log } = deps
  const { running, lag } = parts
  // First what can fail, so that a start that fails leaves nothing behind and can come again.
  const exports = new AbortController()
  const consuming = { ...deps, signal: cache.signal, stopping: exports.signal }
  const subscriptions = chatSubscriptions(consuming)
  const unsubscribeBus = await subscribeAll(bus, subscriptions)
  lag.start(subscriptions.map(({ group }) => group))
  const unsubscribe = [
    cache.signal.subscribe('settings-changed', () => parts.settings.drop()),
    cache.signal.subscribe('models-changed', () => parts.models.drop()),
    cache.signal.subscribe('caches-cleared', () => {
      parts.settings.drop()
      parts.models.drop()
    }),
    // Stops that were missed are found with the next checkpoint.
    cache.signal.onMissed(() => {
      parts.settings.drop()
      parts.models.drop()
    }),
    cache.signal.subscribe('send-stop', running.stopSend),
    cache.signal.subscribe('answer-changed', parts.wake.receive),
    cache.signal.subscribe('generation-stop', ({ messageId, reason }) => running.stop(messageId, reason)),
  ]
  const relay: Relay = startRelay({ source: stores.outbox, bus, log })
  const periodicTasks = createPeriodicTasks(parts, log)
  for (const job of periodicTasks) job.start()
  return {
    async stop() {
      exports.abort()
      lag.stop()
      await unsubscribeBus()
      await Promise.all(periodicTasks.map((job) => job.stop()))
      await relay.stop()
      for (const end of unsubscribe) end()
    },
  }
}

const hourMs = 60 * 60 * 1000
/** Keys of sends are honoured for this long. */
const sendMs = 24 * hourMs
/** Longer than any window of an allowance. */
const guestBucketMs = 8 * 24 * hourMs

/** Each in its own period: no job waits for another one. */
function createPeriodicTasks({ stores, lease, sweeper, timing, now }: Parts, log: Logger): Periodic[] {
  const ago = (ms: number): Date => new Date(now().getTime() - ms)
  const { checkpointMs, sweepMs, reconcileMs, tidyMs } = timing
  const jobs: [name: string, ms: number, run: (stopping: AbortSignal) => Promise<unknown>][] = [
    ['say that this replica lives', checkpointMs, () => stores.abandoned.keepAlive(lease)],
    ['end abandoned answers', sweepMs, sweeper.end],
    ['settle abandoned answers', sweepMs, sweeper.settle],
    [
      'remove chats',
      reconcileMs,
      async () => {
        const before = ago(timing.restoreMs)
        // A chat's files are released while they can still be found through it.
        await stores.files.release(before, now())
        await stores.chats.purge(before)
      },
    ],
    [
      'remove files',
      reconcileMs,
      async () => {
        await stores.files.confirm(ago(timing.confirmMs), now())
        await stores.files.purge(now())
      },
    ],
    ['recount what accounts keep', reconcileMs, async () => void (await stores.usage.recount(now()))],
    [
      'index messages',
      reconcileMs,
      async (stopping) => {
        const before = ago(timing.searchAfterMs)
        while (!stopping.aborted && (await stores.search.index(before)) > 0);
      },
    ],
    ['remove keys of sends', tidyMs, () => stores.sends.purge(ago(sendMs))],
    ['remove allowances of guests', tidyMs, () => stores.guests.purge(ago(guestBucketMs))],
    ['remove answers of guests', tidyMs, () => stores.abandoned.purgeExpired(now())],
  ]
  // The first one begins now and the others spread over their periods, so that they seldom take a connection each at the same time.
  return jobs.map(([name, ms, run], nth) => every(ms, run, { name, firstMs: (ms * nth) / jobs.length, log }))
}
