import { type AddressInfo, createServer, connect as dial } from 'node:net'
import { openMemoryHub } from '@parley/cache'
import { type ServiceName, socketAddress } from '@parley/contracts'
import { createService, loadModules, type RunningService, type ServiceDefinition, startService } from '@parley/kit'
import {
  type ApiCaller,
  apiClient,
  type FakeProvider,
  seeded,
  startFakeProvider,
  testDatabase,
  testLog,
  waitUntil,
} from '@parley/testing'
import { connectSocket, type SocketClient, type SocketClientOptions } from '@parley/testing/socket-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openRuntime } from '../src/runtime.ts'
import { allServices, services } from '../src/services.ts'
import { adminPassword, testConfig, unlimited } from './given.ts'
import { createReplica } from './thread-replica.ts'

const loopback = { host: '127.0.0.1', port: 0 }

/** Two replicas each of the gateway and realtime, over one replica of all other services. */
interface World {
  /** Leads each connection to either gateway. */
  readonly url: string
  readonly provider: FakeProvider
  /** The running replicas of realtime. */
  readonly realtimes: RunningService[]
  startRealtime(): Promise<void>
  close(): Promise<void>
}

async function openWorld(): Promise<World> {
  const [database, provider] = await Promise.all([testDatabase(), startFakeProvider()])
  const hub = openMemoryHub({ log: testLog })
  const runtime = openRuntime({
    config: testConfig(provider),
    engines: { postgresUrl: database.url, hub },
    log: testLog,
  })
  const realtimes: RunningService[] = []
  const gateways: RunningService[] = []
  const random = seeded(1)
  const anyOf = (replicas: readonly RunningService[]): string => replicas[random(replicas.length)]?.url ?? ''
  const locate = (name: ServiceName): string => (name === 'realtime' ? anyOf(realtimes) : runtime.locate(name))
  const start = async (definition: ServiceDefinition): Promise<RunningService> => {
    const service = await createService(definition, { ...(await runtime.depsOf(definition)), locate })
    return await startService(service, loopback)
  }
  const startRealtime = async (): Promise<void> => void realtimes.push(await start(services.realtime))
  await loadModules(...allServices)
  for (const definition of allServices) {
    if (definition === services.gateway || definition === services.realtime) continue
    const service = await createService(definition, await runtime.depsOf(definition))
    await runtime.run(service, loopback)
  }
  for (let count = 0; count < 2; count += 1) {
    await startRealtime()
    gateways.push(await start(services.gateway))
  }
  const entrance = createServer((client) => {
    const gateway = dial({ host: '127.0.0.1', port: Number(new URL(anyOf(gateways)).port) })
    for (const [from, to] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      from.pipe(to)
      from.on('error', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => entrance.listen(loopback, resolve))
  return {
    url: `http://127.0.0.1:${(entrance.address() as AddressInfo).port}`,
    provider,
    realtimes,
    startRealtime,
    async close() {
      entrance.close()
      for (const running of [...gateways, ...realtimes]) await running.stop(0)
      await runtime.close()
      await Promise.all([provider.close(), hub.close()])
      await database.drop()
    },
  }
}

const transportOf = ({ socket }: SocketClient): string => socket.io.engine.transport.name
const polling: SocketClientOptions = { transports: ['polling'] }
const defaults: SocketClientOptions = { transports: ['polling', 'websocket'] }

describe('a client that polls, with several replicas of gateway and realtime', () => {
  let world: World
  let api: ApiCaller
  let token: string
  const apis: ReturnType<typeof apiClient>[] = []
  const clients: SocketClient[] = []
  beforeAll(async () => {
    world = await openWorld()
    const anonymous = apiClient(world.url)
    apis.push(anonymous)
    const { body } = await anonymous.post('/api/auth/login', { identifier: 'admin', password: adminPassword })
    token = (body as { token: string }).token
    api = anonymous.with({ authorization: `Bearer ${token}` })
    expect((await api.patch('/api/admin/settings', unlimited)).status).toBe(200)
  })
  afterAll(async () => {
    for (const one of apis) await one.close()
    await world.close()
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
  })
  const connect = async (options: SocketClientOptions): Promise<SocketClient> => {
    const client = await connectSocket(world.url, token, options)
    clients.push(client)
    return client
  }
  const newChat = async (): Promise<string> => {
    const { body } = await api.post('/api/chat/history', { title: 'Live', model: 'v3' })
    return (body as { chatId: string }).chatId
  }
  const send = async (chatId: string, message: string): Promise<void> =>
    void (await (await api.open('POST', '/api/chat', { body: { message, model: 'v3', chatId } })).body.text())
  const stored = async (chatId: string): Promise<string[]> => {
    const { body } = await api.get(`/api/chat/history/${chatId}`)
    return (body as { messages: { id: string; content: string }[] }).messages.map(
      ({ id, content }) => `${id} ${content}`,
    )
  }
  const titles = (client: SocketClient) => client.all('chat:update').map(({ title }) => title)

  it.each([
    ['never upgrades', polling, 'polling'],
    ['upgrades to a WebSocket', defaults, 'websocket'],
  ])('receives every event when it %s', async (_how, options, transport) => {
    const chatId = await newChat()
    const several = await Promise.all(Array.from({ length: 4 }, () => connect(options)))
    const replicas = several.map((client) => {
      const replica = createReplica(api, chatId)
      replica.follow(client)
      client.say('join', { chatId })
      return replica
    })
    for (const client of several) await client.until('chat:init')
    world.provider.reply({ chunks: Array.from({ length: 60 }, (_none, index) => `${index} ä🙂 `), delayMs: 10 })
    await send(chatId, 'Count')
    const thread = await stored(chatId)
    expect(thread).toHaveLength(2)
    for (const replica of replicas) {
      await expect.poll(() => replica.thread()).toEqual(thread)
      expect(replica.faults).toEqual([])
    }
    for (const client of several) await expect.poll(() => transportOf(client)).toBe(transport)
  })

  describe('and loses its replica of realtime', () => {
    let victim: RunningService
    let hit: SocketClient[]
    const connectionsOf = async ({ url }: RunningService): Promise<number> => {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(/^realtime_connections\S* (\d+)/m.exec(text)?.[1])
    }
    /** Connects clients until several are at one replica, which is taken out of the rotation. */
    const aim = async (chatId: string): Promise<void> => {
      while (world.realtimes.length < 2) await world.startRealtime()
      victim = world.realtimes[0] as RunningService
      // Those of the test before.
      await expect.poll(() => connectionsOf(victim)).toBe(0)
      while ((await connectionsOf(victim)) < 2) {
        const client = await connect({ ...polling, reconnection: true, reconnectionDelay: 50 })
        client.socket.on('connect', () => client.say('join', { chatId }))
        client.say('join', { chatId })
        await client.until('chat:init')
      }
      hit = []
      for (const client of clients) {
        const { socket } = client
        socket.once('disconnect', () => hit.push(client))
        // The library does not reconnect by itself after a disconnect by the server.
        for (const event of ['disconnect', 'connect_error'])
          socket.on(event, () => {
            if (!socket.active) setTimeout(() => socket.connect(), 50)
          })
      }
      world.realtimes.splice(0, 1)
    }
    it('continues on another replica if its own leaves', async () => {
      const chatId = await newChat()
      await aim(chatId)
      await victim.stop()
      await expect.poll(() => hit.length).toBeGreaterThanOrEqual(2)
      for (const client of hit) await waitUntil(() => client.all('chat:init')[1], 'its second room')
      await api.put(`/api/chat/history/${chatId}/rename`, { title: 'Found again' })
      for (const client of clients) await expect.poll(() => titles(client)).toContain('Found again')
    })
  })

  it('reaches no address that it made up', async () => {
    let reached = 0
    const listener = createServer((socket) => {
      reached += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => listener.listen(loopback, resolve))
    const address = `127.0.0.1:${(listener.address() as AddressInfo).port}`
    const claims = Buffer.from(JSON.stringify({ address, iss: 'realtime', exp: 4e9 })).toString('base64url')
    const [header, , signature] = (await connect(polling)).socket.io.engine.id?.split('.').slice(1) ?? []
    expect(signature).toBeDefined()
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    for (const forged of [`${header}.${claims}.${signature}`, `${none}.${claims}.`, address]) {
      const query = `EIO=4&transport=polling&sid=${encodeURIComponent(`id.${forged}`)}`
      const answer = await fetch(`${world.url}${socketAddress.path}/?${query}`)
      expect([answer.status, await answer.json()]).toEqual([400, { code: 1, message: 'Session ID unknown' }])
    }
    expect(reached).toBe(0)
    listener.close()
  })
})
