import { openPgBus } from '@parley/bus'
import { waitForPostgres } from '@parley/db'
import { createIdentityCodec, createLogger, createMetrics, newId, runMain, serve, systemClock } from '@parley/kit'
import { readBillingConfig } from './config.ts'
import { createBillingService } from './service.ts'
import { openBillingStores } from './store/index.ts'

await runMain(async () => {
  const config = readBillingConfig()
  const log = createLogger('billing', config.LOG_LEVEL)
  await waitForPostgres({ url: config.POSTGRES_URL, log })
  const stores = openBillingStores({ url: config.POSTGRES_URL, log })
  const bus = await openPgBus({ url: config.POSTGRES_URL, log })
  const service = createBillingService({
    stores,
    bus,
    identity: createIdentityCodec(config.INTERNAL_SECRET),
    metrics: createMetrics('billing', true),
    log,
    newId,
    now: systemClock,
  })
  await serve(service, config, log, [bus, stores])
})
