import { type Relay, startRelay, subscribeAll } from '@parley/bus'
import { createHttpApp, type Service } from '@parley/kit'
import { chatSubscriptions } from './consumers.ts'
import { type ChatServiceDeps, createParts, type Parts } from './parts.ts'
import { createPeriodicTasks } from './periodic-tasks.ts'
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

/** The service of chats and answers; opens nothing until it is started. */
export function createChatService(deps: ChatServiceDeps): Service {
  const parts = createParts(deps)
  const bodies = createBodyMemory(bodyBounds)
  const importBodies = createBodyMemory(importBounds)
  const downloadMemory = createBodyMemory(downloadBounds)
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
        addLargeBodyBounds(router, { bodies, importBodies })
        addAnswerRoutes(router, { ...parts, draining, disconnectReaders: disconnectReaders.signal })
        addChatRoutes(router, parts)
        addRemovalRoutes(router, parts)
        addThreadRoutes(router, { ...parts, downloadMemory })
        addTransferRoutes(router, { ...parts, downloadMemory })
        addLiveRoutes(router, parts)
        addToolRoutes(router, parts)
        addFileRoutes(router, { ...parts, bodies, downloadMemory })
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

const megabyte = 1024 * 1024
/** Bytes of uploads and large sends, and of large imports, which are held for longer: a part of the container's memory, as the README says. */
const bodyBounds: MemoryBounds = { all: 64 * megabyte, network: 48 * megabyte }
const importBounds: MemoryBounds = { all: 96 * megabyte, network: 64 * megabyte }
/** Bytes of files, chats and exports on their way to readers. */
const downloadBounds: MemoryBounds = { all: 32 * megabyte, network: 24 * megabyte }

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
  const dropCaches = () => {
    parts.settings.drop()
    parts.models.drop()
  }
  const unsubscribe = [
    cache.signal.subscribe('settings-changed', () => parts.settings.drop()),
    cache.signal.subscribe('models-changed', () => parts.models.drop()),
    cache.signal.subscribe('caches-cleared', dropCaches),
    // Stops that were missed are found with the next checkpoint.
    cache.signal.onMissed(dropCaches),
    cache.signal.subscribe('send-stop', running.stopSend),
    cache.signal.subscribe('answer-changed', parts.waiters.receive),
    cache.signal.subscribe('generation-stop', ({ messageId, reason }) => running.stop(messageId, reason)),
  ]
  const relay: Relay = startRelay({ source: stores.outbox, bus, log })
  const periodicTasks = createPeriodicTasks(parts)
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
