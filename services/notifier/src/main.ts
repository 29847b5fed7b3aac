import { openPgBus } from '@parley/bus'
import { waitForPostgres } from '@parley/db'
import {
  createIdentityCodec,
  createLogger,
  createMetrics,
  createServiceClient,
  runMain,
  serve,
  systemClock,
} from '@parley/kit'
import { readNotifierConfig } from './config.ts'
import { createNotifierService } from './service.ts'
import { openNotifierStores } from './store/index.ts'

await runMain(async () => {
  const config = readNotifierConfig()
  const log = createLogger('notifier', config.LOG_LEVEL)
  await waitForPostgres({ url: config.POSTGRES_URL, log })
  const identity = createIdentityCodec(config.INTERNAL_SECRET)
  const stores = openNotifierStores({ url: config.POSTGRES_URL, log })
  const bus = await openPgBus({ url: config.POSTGRES_URL, log })
  const client = createServiceClient({ self: 'notifier', locate: () => config.AUTH_URL, identity })
  const metrics = createMetrics('notifier', true)
  const service = createNotifierService({ config, stores, bus, client, identity, metrics, log, now: systemClock })
  await serve(service, config, log, [client, bus, stores])
})
