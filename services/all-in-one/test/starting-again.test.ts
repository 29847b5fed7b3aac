import type { EventBus, Subscription } from '@parley/bus'
import { type CacheEngine, openMemoryHub } from '@parley/cache'
import { createService, loadModules, type ServiceDefinition } from '@parley/kit'
import { startFaultProxy, testDatabase, testLog, waitUntil } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeParley } from '../src/compose.ts'
import { openRuntime, type Runtime } from '../src/runtime.ts'
import { allServices } from '../src/services.ts'
import { testConfig } from './given.ts'

/** The open subscriptions of a service, by name. */
function subscriptionsNow() {
  const names: string[] = []
  const add = (name: string): (() => void) => {
    names.push(name)
    let isOpen = true
    return () => {
      if (isOpen) names.splice(names.indexOf(name), 1)
      isOpen = false
    }
  }
  return { now: () => names.toSorted(), add }
}
type Subscriptions = ReturnType<typeof subscriptionsNow>

/** A bus that delivers no event, and refuses one group once. */
function busRefusing(bus: EventBus, group: string | undefined, { add }: Subscriptions): EventBus {
  let hasRefused = false
  return {
    ...bus,
    async subscribe(subscription: Subscription) {
      if (subscription.group === group && !hasRefused) {
        hasRefused = true
        throw new Error('The engine is unavailable')
      }
      const end = add(`group ${subscription.group}`)
      return async () => end()
    },
  }
}

function watched(cache: CacheEngine, { add }: Subscriptions): CacheEngine {
  const { signal } = cache
  const both = (name: string, end: () => void) => {
    const forget = add(`signal ${name}`)
    return () => {
      forget()
      end()
    }
  }
  return {
    ...cache,
    signal: {
      ...signal,
      subscribe: (name, handler) => both(name, signal.subscribe(name, handler)),
      onMissed: (handler) => both('missed', signal.onMissed(handler)),
      onHintsMissed: (handler) => both('hints missed', signal.onHintsMissed(handler)),
    },
  }
}

const consuming = allServices.filter(({ subscriptions }) => subscriptions !== undefined)

describe('a service whose bus refuses the last of its groups while it starts', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>
  let hub: ReturnType<typeof openMemoryHub>
  let runtime: Runtime
  beforeAll(async () => {
    database = await testDatabase()
    hub = openMemoryHub({ log: testLog })
    runtime = openRuntime({
      config: testConfig(),
      engines: { postgresUrl: database.url, hub },
      log: testLog,
    })
    await loadModules(...consuming)
  })
  afterAll(async () => {
    await runtime.close()
    await hub.close()
    await database.drop()
  })

  /** The service and its subscriptions. */
  const open = async (definition: ServiceDefinition) => {
    const deps = await runtime.depsOf(definition)
    const groups = ((await definition.subscriptions?.(deps)) ?? []).map(({ group }) => group)
    const { bus, cache } = deps.engines as unknown as { bus: EventBus; cache?: CacheEngine }
    const opened = subscriptionsNow()
    const engines = {
      ...deps.engines,
      bus: busRefusing(bus, groups.at(-1), opened),
      ...(cache && { cache: watched(cache, opened) }),
    }
    return { service: await createService(definition, { ...deps, engines }), groups, opened }
  }

  it.each(consuming.map((definition) => [definition.name, definition] as const))(
    'leaves nothing subscribed, and subscribes each group once when it is restarted: %s',
    async (_name, definition) => {
      const { service, groups, opened } = await open(definition)
      const before = opened.now()
      await expect(service.start()).rejects.toThrow('The engine is unavailable')
      expect(opened.now()).toEqual(before)
      await service.start()
      const ofGroups = opened.now().filter((name) => name.startsWith('group '))
      expect(ofGroups).toEqual(groups.map((group) => `group ${group}`).toSorted())
      await service.stop()
      expect(opened.now()).toEqual(before)
    },
  )
})

describe('a system whose PostgreSQL cannot be reached while it starts', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>
  let hub: ReturnType<typeof openMemoryHub>
  beforeAll(async () => {
    database = await testDatabase()
    hub = openMemoryHub({ log: testLog })
  })
  afterAll(async () => {
    await hub.close()
    await database.drop()
  })
  const start = (postgresUrl: string) =>
    composeParley({ config: testConfig(), engines: { postgresUrl, hub }, log: testLog })

  it('waits for it', async () => {
    const { hostname, port } = new URL(database.url)
    const proxy = await startFaultProxy({ host: hostname, port: Number(port) })
    proxy.fault({ kind: 'refuse' })
    const starting = start(proxy.through(database.url))
    await waitUntil(() => proxy.observed > 0, 'a refused connection')
    proxy.fault({ kind: 'none' })
    const parley = await starting
    try {
      expect((await fetch(`${parley.url}/readyz`)).status).toBe(200)
    } finally {
      await parley.stop()
      await proxy.close()
    }
  })

  it('ends at once when it is refused for good', async () => {
    const stranger = Object.assign(new URL(database.url), { username: 'stranger' })
    await expect(start(stranger.href)).rejects.toThrow('stranger')
  })
})
