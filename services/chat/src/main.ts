import { openPgBus } from '@parley/bus'
import { openMemoryHub } from '@parley/cache'
import { waitForPostgres } from '@parley/db'
import {
  createIdentityCodec,
  createLogger,
  createMetrics,
  createServiceClient,
  newId,
  runMain,
  serve,
  systemClock,
} from '@parley/kit'
import { locator, readChatConfig } from './config.ts'
import { createChatService } from './service.ts'
import { openChatStores } from './store/index.ts'

await runMain(async () => {
  const config = readChatConfig()
  const log = createLogger('chat', config.LOG_LEVEL)
  await waitForPostgres({ url: config.POSTGRES_URL, log })
  const identity = createIdentityCodec(config.INTERNAL_SECRET)
  const client = createServiceClient({ self: 'chat', locate: locator(config), identity })
  const stores = openChatStores({ url: config.POSTGRES_URL, log })
  const bus = await openPgBus({ url: config.POSTGRES_URL, log })
  const hub = openMemoryHub({ log })
  const cache = hub.open('chat')
  const metrics = createMetrics('chat', true)
  const engines = { stores, bus, cache, client, metrics }
  const service = createChatService({ config, ...engines, identity, log, now: systemClock, newId })
  await serve(service, config, log, [bus, hub, client, stores])
})
