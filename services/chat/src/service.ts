import { createHttpApp, type Service } from '@parley/kit'
import { chatSubscriptions } from './consumers.ts'
import { type ChatServiceDeps, createParts, type Parts } from './parts.ts'
import { createPeriodicTasks } from './periodic-tasks.ts'
import { addAnswerRoutes } from './routes/answer-routes.ts'
import { addChatRoutes } from './routes/chat-routes.ts'
import { addFileRoutes } from './routes/file-routes.ts'
import { addImageRoutes } from './routes/image-routes.ts'
import { addLargeBodyBounds } from './routes/large-bodies.ts'
import { addLiveRoutes } from './routes/live-routes.ts'
import { addRemovalRoutes } from './routes/removal-routes.ts'
import { createRouteParts } from './routes/route-parts.ts'
import { addShareRoutes } from './routes/share-routes.ts'
import { addThreadRoutes } from './routes/thread-routes.ts'
import { addToolRoutes } from './routes/tool-routes.ts'
import { addTransferRoutes } from './routes/transfer-routes.ts'

/** The service of chats and answers; opens nothing until it is started. */
export function createChatService(deps: ChatServiceDeps): Service {
  const parts = createParts(deps)
  const { running, images, timing } = parts
  let isDraining = false
  let stopBackground: (() => Promise<void>) | undefined
  const disconnectReaders = new AbortController()
  const drain = async (): Promise<void> => {
    isDraining = true
    // Remaining readers then read an answer that another replica makes, which they can do there.
    setTimeout(() => disconnectReaders.abort(), timing.drainMs + finalEventsMs).unref()
    await Promise.all([running.drain(timing.drainMs), images.drain(timing.drainMs)])
  }
  const draining = (): boolean => isDraining
  const routeParts = createRouteParts(parts, { draining, disconnectReaders: disconnectReaders.signal })
  return {
    name: 'chat',
    handler: createHttpApp(
      {
        ...deps,
        checks: { store: () => deps.stores.ping() },
        // Events wait in the outbox, and the log and the caches are never the truth.
        outbox: deps.stores.outbox,
        optional: { bus: parts.endpoint.health, cache: () => deps.cache.health() },
        draining,
      },
      (router) => {
        for (const addRoutes of allRoutes) addRoutes(router, routeParts)
      },
    ),
    async start() {
      await deps.stores.migrate()
      if (deps.isOnlyReplica) await deps.stores.abandoned.endLeases()
      stopBackground = await startBackground(deps, parts)
    },
    // Its streams hold their readers' connections open, so the time that running answers have left starts here.
    drain: () => void drain(),
    async stop() {
      // Also for what was begun by sends that were under way.
      await drain()
      const stop = stopBackground
      stopBackground = undefined
      await Promise.all([stop?.(), parts.imports.stop(), parts.titler.stop()])
      await parts.egress.close()
      parts.pool.close()
    },
  }
}

/** How long readers of an answer that has just ended have to read its end, in milliseconds. */
const finalEventsMs = 500

/** The bounds come first: they stand before the routes whose bodies they bound. */
const allRoutes = [
  addLargeBodyBounds,
  addAnswerRoutes,
  addChatRoutes,
  addRemovalRoutes,
  addThreadRoutes,
  addTransferRoutes,
  addLiveRoutes,
  addToolRoutes,
  addFileRoutes,
  addImageRoutes,
  addShareRoutes,
]

/** Resolves to how it is stopped. */
async function startBackground(deps: ChatServiceDeps, parts: Parts): Promise<() => Promise<void>> {
  const { cache } = deps
  const { running, endpoint } = parts
  // First what can fail, so that a start that fails leaves nothing behind and can come again.
  const exports = new AbortController()
  await endpoint.start(chatSubscriptions({ ...deps, signal: cache.signal, stopping: exports.signal }))
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
  const periodicTasks = createPeriodicTasks(parts)
  for (const job of periodicTasks) job.start()
  return async () => {
    exports.abort()
    await Promise.all(periodicTasks.map((job) => job.stop()))
    await endpoint.stop()
    for (const end of unsubscribe) end()
  }
}
