import { openPgBus } from '@parley/bus'
import { openMemoryHub } from '@parley/cache'
import {
  createIdentityCodec,
  createLogger,
  createMetrics,
  createServiceClient,
  newId,
  startService,
  stopOnSignal,
  systemClock,
} from '@parley/kit'
import { readAuthConfig } from './config.ts'
import { createAuthService } from './service.ts'
import { openAuthStores } from './store/index.ts'

const config = readAuthConfig()
const log = createLogger('auth', config.LOG_LEVEL)
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
const running = await startService(service, { host: config.HOST, port: config.PORT })
const admin = service.firstAdmin()
if (admin?.password !== undefined) process.stdout.write(`First admin: ${admin.username}, password ${admin.password}\n`)
log.info({ url: running.url }, 'listening')
stopOnSignal(async () => {
  await running.stop()
  await Promise.all([client.close(), bus.close(), hub.close(), stores.close()])
}, log)
