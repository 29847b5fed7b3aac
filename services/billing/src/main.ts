import { openKafkaBus } from '@parley/bus/kafka'
import { createServiceClient, createTools, kafkaOptions, runService, serve } from '@parley/kit'
import { billingCommands } from './commands.ts'
import { readBillingConfig } from './config.ts'
import { createBillingService } from './service.ts'
import { openBillingStores } from './store/index.ts'

await runService(async () => {
  const config = readBillingConfig()
  const tools = createTools('billing', config)
  const { log, identity } = tools
  const stores = openBillingStores({ url: config.POSTGRES_URL, log })
  const bus = await openKafkaBus({ ...kafkaOptions(config), clientId: 'billing', log })
  const client = createServiceClient({ self: 'billing', locate: () => config.AUTH_URL, identity })
  const service = createBillingService({ ...tools, stores, bus, client, holdRetentionDays: config.HOLD_RETENTION_DAYS })
  const needs = { postgres: () => stores.ping(), kafka: () => bus.health() }
  await serve({ service, config, log, needs, used: [client, bus, stores] })
}, billingCommands)
