import { openPgBus } from '@parley/bus'
import {
  createIdentityCodec,
  createLogger,
  createMetrics,
  createServiceClient,
  startService,
  stopOnSignal,
  systemClock,
} from '@parley/kit'
import { readNotifierConfig } from './config.ts'
import { createNotifierService } from './service.ts'
import { openNotifierStores } from './store/index.ts'

const config = readNotifierConfig()
const log = createLogger('notifier', config.LOG_LEVEL)
const identity = createIdentityCodec(config.INTERNAL_SECRET)
const stores = openNotifierStores({ url: config.POSTGRES_URL, log })
const bus = await openPgBus({ url: config.POSTGRES_URL, log })
const client = createServiceClient({ self: 'notifier', locate: () => config.AUTH_URL, identity })
const metrics = createMetrics('notifier', true)
const service = createNotifierService({ config, stores, bus, client, identity, metrics, log, now: systemClock })
const running = await startService(service, { host: config.HOST, port: config.PORT })
log.info({ url: running.url }, 'listening')
stopOnSignal(async () => {
  await running.stop()
  await Promise.all([client.close(), bus.close(), stores.close()])
}, log)
