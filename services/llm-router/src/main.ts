import { openPgBus } from '@parley/bus'
import { openMemoryHub } from '@parley/cache'
import { waitForPostgres } from '@parley/db'
import { createIdentityCodec, createLogger, createMetrics, newId, runMain, serve, systemClock } from '@parley/kit'
import { readLlmRouterConfig, routerConfigOf } from './config.ts'
import { createLlmRouterService } from './service.ts'
import { openLlmRouterStores } from './store/index.ts'

await runMain(async () => {
  const config = readLlmRouterConfig()
  const log = createLogger('llm-router', config.LOG_LEVEL)
  await waitForPostgres({ url: config.POSTGRES_URL, log })
  const stores = openLlmRouterStores({ url: config.POSTGRES_URL, log })
  const bus = await openPgBus({ url: config.POSTGRES_URL, log })
  const hub = openMemoryHub({ log })
  const { counter, signal } = hub.open('llm-router')

  const service = createLlmRouterService({
    config: routerConfigOf(config),
    stores,
    counter,
    signal,
    bus,
    identity: createIdentityCodec(config.INTERNAL_SECRET),
    metrics: createMetrics('llm-router', true),
    log,
    now: systemClock,
    newId,
  })
  await serve(service, config, log, [bus, hub, stores])
})
