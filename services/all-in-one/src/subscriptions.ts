import type { Subscription } from '@parley/bus'
import { loadModules } from '@parley/kit'
import type { Runtime } from './runtime.ts'
import { allServices, services } from './services.ts'

/**
 * The event subscriptions of all services on the embedded engines, for replaying dead letters whether Parley is running or not. auth and chat only
 * listen, because handlers of other services call them; their background work is not started.
 */
export async function openSubscriptions({ depsOf, run }: Runtime): Promise<readonly Subscription[]> {
  await loadModules(...allServices)
  for (const definition of [services.auth, services.chat]) {
    const service = await definition.create(await depsOf(definition))
    await run({ ...service, start: async () => undefined }, { host: '127.0.0.1', port: 0 })
  }
  const ofEach = allServices.map(async (definition) =>
    definition.subscriptions === undefined ? [] : await definition.subscriptions(await depsOf(definition)),
  )
  return (await Promise.all(ofEach)).flat()
}
