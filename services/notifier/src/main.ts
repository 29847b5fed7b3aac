import { openKafkaBus } from '@parley/bus/kafka'
import { createServiceClient, createTools, kafkaOptions, runService, serve } from '@parley/kit'
import { notifierCommands } from './commands.ts'
import { readNotifierConfig } from './config.ts'
import { createNotifierService } from './service.ts'
import { openNotifierStores } from './store/index.ts'

await runService(async () => {
  const config = readNotifierConfig()
  const tools = createTools('notifier', config)
  const { log, identity } = tools
  const stores = openNotifierStores({ url: config.POSTGRES_URL, log })
  const bus = await openKafkaBus({ ...kafkaOptions(config), clientId: 'notifier', log })
  const client = createServiceClient({ self: 'notifier', locate: () => config.AUTH_URL, identity })
  const service = createNotifierService({ ...tools, config, stores, bus, client })
  const needs = { postgres: () => stores.ping(), kafka: () => bus.health() }
  await serve({ service, config, log, needs, used: [client, bus, stores] })
}, notifierCommands)
