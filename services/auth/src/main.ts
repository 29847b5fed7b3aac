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
import { readAuthConfig } from './config.ts'
import { createAuthService } from './service.ts'
import { openAuthStores } from './store/index.ts'

await runMain(async () => {
  const config = readAuthConfig()
  const log = createLogger('auth', config.LOG_LEVEL)
  await waitForPostgres({ url: config.POSTGRES_URL, log })
  const identity = createIdentityCodec(config.INTERNAL_SECRET)
  const stores = openAuthStores({ url: config.POSTGRES_URL, log })
  const bus = await openPgBus({ url: config.POSTGRES_URL, log })
  const hub = openMemoryHub({ log })
  const { signal } = hub.open('auth')
  const client = createServiceClient({ self: 'auth', locate: () => config.BILLING_URL, identity })
  const metrics = createMetrics('auth', true)
  const service = createAuthService({
    ...{ config, stores, bus, signal, client, identity, metrics, log, newId },
    now: systemClock,
  })
  await serve(service, config, log, [client, bus, hub, stores])
  const admin = service.firstAdmin()
  if (admin?.password !== undefined)
    process.stdout.write(`First admin: ${admin.username}, password ${admin.password}\n`)
})
