import { openPgBus } from '@parley/bus'
import { createIdentityCodec, createLogger, createMetrics, newId, startService, stopOnSignal } from '@parley/kit'
import { readBillingConfig } from './config.ts'
import { createBillingService } from './service.ts'
import { openBillingStores } from './store/index.ts'

const config = readBillingConfig()
const log = createLogger('billing', config.LOG_LEVEL)
const stores = openBillingStores({ url: config.POSTGRES_URL, log })
const bus = await openPgBus({ url: config.POSTGRES_URL, log })
const service = createBillingService({
  stores,
  bus,
  identity: createIdentityCodec(config.INTERNAL_SECRET),
  metrics: createMetrics('billing', true),
  log,
  newId,
})
const running = await startService(service, { host: config.HOST, port: config.PORT })
log.info({ url: running.url }, 'listening')
stopOnSignal(async () => {
  await running.stop()
  await bus.close()
  await stores.close()
}, log)
