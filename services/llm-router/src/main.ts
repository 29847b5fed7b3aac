import { openMemoryHub } from '@parley/cache'
import { createIdentityCodec, createLogger, createMetrics, startService, stopOnSignal, systemClock } from '@parley/kit'
import { readLlmRouterConfig, routerConfigOf } from './config.ts'
import { createLlmRouterService } from './service.ts'
import { openLlmRouterStores } from './store/index.ts'

const config = readLlmRouterConfig()
const log = createLogger('llm-router', config.LOG_LEVEL)
const stores = openLlmRouterStores({ url: config.POSTGRES_URL, log })
const hub = openMemoryHub({ log })
const { counter, signal } = hub.open('llm-router')

const service = createLlmRouterService({
  config: routerConfigOf(config),
  stores,
  counter,
  signal,
  identity: createIdentityCodec(config.INTERNAL_SECRET),
  metrics: createMetrics('llm-router', true),
  log,
  now: systemClock,
})
const running = await startService(service, { host: config.HOST, port: config.PORT })
stopOnSignal(async () => {
  await running.stop()
  await hub.close()
  await stores.close()
}, log)
log.info({ url: running.url }, 'listening')
