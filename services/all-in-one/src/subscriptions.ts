import type { Subscription } from '@parley/bus'
import { loadModules } from '@parley/kit'
import type { Runtime } from './runtime.ts'
import { allServices, services } from './services.ts'

/**
 * All that services do with events, over the embedded engines, for an operator who hands dead letters out again, whether Parley runs or not. auth
 * and chat only listen, since handlers bring auth what it asked for and ask chat for messages: nothing of them is started.
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
