import type { Subscription } from '@parley/bus'
import { loadModules } from '@parley/kit'
import type { Runtime } from './runtime.ts'
import { allServices, services } from './services.ts'

/**
 * All that services do with events, over the embedded engines, for an operator who hands dead letters out again, whether Parley runs or not. auth
 * only listens, since handlers bring it what it asked for: nothing of it is started.
 */
export async function openSubscriptions({ depsOf, run }: Runtime): Promise<readonly Subscription[]> {
  await loadModules(...allServices)
  const auth = await services.auth.create(await depsOf(services.auth))
  await run({ ...auth, start: async () => undefined }, { host: '127.0.0.1', port: 0 })
  const ofEach = allServices.map(async (definition) =>
    definition.subscriptions === undefined ? [] : await definition.subscriptions(await depsOf(definition)),
  )
  return (await Promise.all(ofEach)).flat()
}
