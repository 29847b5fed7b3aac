import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceName } from '@parley/contracts'
import type { NativeEngine } from '@parley/engines'
import type { Replica } from '@parley/split'
import { waitUntil } from '@parley/testing'
import { type Clients, type ClientsOptions, startClients } from './clients.ts'
import type { Received } from './listener.ts'
import type { Stage } from './stage.ts'

/** One fault: how it is injected and observed, how it ends, and what users may notice. */
export interface FaultRow {
  readonly name: string
  /** Injects the fault and resolves, once it is over, to the observed effect; an empty text means there was none. */
  readonly inflict: (stage: Stage, clients: Clients) => Promise<string>
  /** The clients that chat meanwhile; 50 by default. */
  readonly clients?: ClientsOptions
  /** Whether answers may be cut short with their text kept; by default every answer must be complete. */
  readonly mayInterrupt?: boolean
  /** Number of service processes that the fault itself ends. */
  readonly killed?: number
  /** Whether some followers lose their socket and must reconnect. */
  readonly cutsSockets?: boolean
}

/**
 * Longer than a request to Kafka (8 s) and a consumer's session (6 s), and until the backoff of relays and consumers has reached its maximum
 * of 5 s, after some 14 s. A longer outage would test nothing more.
 */
const kafkaDownMs = 16_000
/** Longer than the services' timeouts for Redis (0.2 s) and for a connection to PostgreSQL (2 s). */
const shortMs = 3_000
/** Longer than the session timeout of a consumer group (6 s). */
const sessionMs = 7_000
const limitMs = 120_000

/** Kafka is killed, and every answer continues and ends without it; after the restart it receives all their events. */
const kafkaDown: FaultRow['inflict'] = async ({ engines: { kafka }, bus }, clients) => {
  const before = kafka.pid
  await kafka.kill('SIGKILL')
  const longEnough = pause(kafkaDownMs)
  let waiting: number
  try {
    await clients.progresses()
    clients.finish()
    waiting = (await clients.all()).filter(({ messageId }) => !bus.finished.has(messageId)).length
    await longEnough
  } finally {
    await kafka.start()
  }
  return waiting === 0
    ? ''
    : `process ${before} killed; ${waiting} answers ended whose events waited until ${kafka.pid} took its place`
}

/** Kills an engine, and after a while restarts it on its data. */
const restarted =
  (name: keyof Stage['engines']): FaultRow['inflict'] =>
  async ({ engines }) => {
    const engine: NativeEngine = engines[name]
    const before = engine.pid
    await engine.kill('SIGKILL')
    await pause(shortMs)
    await engine.start()
    return engine.pid === before ? '' : `process ${before} killed, ${engine.pid} took its place`
  }

/** Suspends an engine's process for a while, like a machine that hangs. */
const frozen =
  (name: keyof Stage['engines']): FaultRow['inflict'] =>
  async ({ engines }, { received }) => {
    engines[name].freeze()
    const before = eventsOf(received)
    await pause(shortMs)
    engines[name].thaw()
    return `process ${engines[name].pid} stopped for ${shortMs / 1000} s; ${eventsOf(received) - before} events were received meanwhile`
  }

const eventsOf = (received: readonly Received[]): number => received.reduce((sum, { seq }) => sum + seq, 0)

/** The replica of each of these services that the fault hits. */
const victimsOf = ({ split }: Stage, services: readonly ServiceName[]): Replica[] =>
  services.map((service) => {
    const [victim] = split.replicas(service)
    if (victim === undefined) throw new Error(`${service} has no replica`)
    return victim
  })

/** Kills one of two replicas of each of these services at once; the launcher replaces them. */
const replicasKilled =
  (...services: ServiceName[]): FaultRow['inflict'] =>
  async (stage) => {
    const observed = victimsOf(stage, services).map(async (victim) => {
      const before = victim.pid
      await victim.kill('SIGKILL')
      return await replaced(victim, before)
    })
    return (await Promise.all(observed)).join('; ')
  }

/** Waits until a new process has replaced the old one. */
async function replaced(victim: Replica, before: number): Promise<string> {
  await victim.restarted()
  if (victim.pid === before) throw new Error(`${victim.name} is still process ${before}`)
  return `${victim.name} was process ${before}, is ${victim.pid}`
}

/** Suspends one of two replicas until it is out of rotation and every answer continues without it or was ended. */
const replicaFrozen =
  (service: ServiceName): FaultRow['inflict'] =>
  async (stage, clients) => {
    const [victim] = victimsOf(stage, [service]) as [Replica]
    victim.freeze()
    try {
      await Promise.all([pause(sessionMs), unready(victim), clients.progresses()])
    } finally {
      victim.thaw()
    }
    const ended = clients.received.filter(({ ending }) => ending !== undefined).length
    return `process ${victim.pid} of ${victim.name} stopped; ${ended} answers were ended meanwhile`
  }

const unready = (replica: Replica): Promise<true> =>
  waitUntil(() => !replica.ready, `${replica.name} to be unready`, limitMs, 20)

/** Sends SIGTERM to one of two replicas of each of these services in turn; every answer continues while they drain. */
const rolled =
  (...services: ServiceName[]): FaultRow['inflict'] =>
  async (stage, clients) => {
    const leaving = victimsOf(stage, services).map((replica) => ({ replica, before: replica.pid }))
    const ends: Promise<void>[] = []
    for (const { replica } of leaving) {
      ends.push(replica.kill('SIGTERM'))
      await unready(replica)
    }
    const before = eventsOf(clients.received)
    await clients.progresses()
    const received = eventsOf(clients.received) - before
    clients.finish()
    await Promise.all(ends)
    const observed = await Promise.all(leaving.map(({ replica, before: pid }) => replaced(replica, pid)))
    return `${observed.join('; ')}; ${received} events were received while they drained`
  }

/** The services without which chats go on. */
const dispensable: readonly ServiceName[] = ['memory', 'share']
/** New chats begun while they are away, of which each replica of chat gets some. */
const newChats = { size: 10, pieceMs: 100 }

/**
 * Takes every replica of memory and share away. Meanwhile what streams goes on, and new answers begin and end, without memories, before anything is back.
 * @param takeAway resolves to how to bring it back
 */
const dispensed =
  (takeAway: (replica: Replica) => Promise<() => Promise<void>>): FaultRow['inflict'] =>
  async (stage, clients) => {
    const replicas = dispensable.flatMap((service) => stage.split.replicas(service))
    const broughtBack = await Promise.all(replicas.map(takeAway))
    try {
      await clients.progresses()
      const begun = startClients(stage, newChats)
      await begun.inTheMiddle()
      begun.finish()
      const ended = await begun.all()
      const without = ended.filter(({ isWithoutMemory }) => isWithoutMemory).length
      const failed = ended.filter(({ ending }) => ending !== 'done')
      if (failed.length > 0) throw new Error(`new answers failed: ${failed.map(({ failure }) => failure).join('; ')}`)
      return without === 0
        ? ''
        : `${ended.length} answers began and ended meanwhile, ${without} of them say without memory`
    } finally {
      await Promise.all(broughtBack.map((bringBack) => bringBack()))
    }
  }

const killedForLong = async (replica: Replica): Promise<() => Promise<void>> => {
  replica.restartOnDeath(false)
  await replica.kill('SIGKILL')
  return async () => {
    replica.restartOnDeath(true)
    replica.start()
    await replica.restarted()
  }
}

const hanging = async (replica: Replica): Promise<() => Promise<void>> => {
  replica.freeze()
  return async () => {
    replica.thaw()
    await replica.restarted()
  }
}

const flushed: FaultRow['inflict'] = async ({ engines }) => {
  const { hostname, port } = new URL(engines.redis.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write('DBSIZE\r\nFLUSHALL\r\nDBSIZE\r\nQUIT\r\n')
  const [before, said] = (await text(socket)).split('\r\n')
  return said === '+OK' && before !== ':0' ? `FLUSHALL threw away ${before?.slice(1)} keys` : ''
}

/** Every fault of the suite, in order of execution. */
export const faultRows: readonly FaultRow[] = [
  { name: 'Kafka unavailable until every backoff has reached its maximum', inflict: kafkaDown },
  { name: 'Redis FLUSHALL', inflict: flushed },
  { name: 'Redis kill -9 and restart, empty', inflict: restarted('redis') },
  { name: 'Redis hangs', inflict: frozen('redis') },
  { name: 'MongoDB kill -9 and restart', inflict: restarted('mongo') },
  { name: 'MongoDB hangs', inflict: frozen('mongo') },
  { name: 'PostgreSQL kill -9 and restart', inflict: restarted('postgres') },
  { name: 'PostgreSQL hangs', inflict: frozen('postgres') },
  { name: 'gateway replica kill -9', inflict: replicasKilled('gateway'), killed: 1, cutsSockets: true },
  {
    name: 'auth, billing and notifier replicas kill -9',
    inflict: replicasKilled('auth', 'billing', 'notifier'),
    killed: 3,
  },
  { name: 'realtime replica kill -9', inflict: replicasKilled('realtime'), killed: 1, cutsSockets: true },
  { name: 'llm-router replica kill -9', inflict: replicasKilled('llm-router'), killed: 1, mayInterrupt: true },
  { name: 'chat replica kill -9', inflict: replicasKilled('chat'), killed: 1, mayInterrupt: true },
  { name: 'chat replica hangs for longer than its leases', inflict: replicaFrozen('chat'), mayInterrupt: true },
  { name: 'realtime replica hangs', inflict: replicaFrozen('realtime') },
  { name: 'gateway replica hangs', inflict: replicaFrozen('gateway') },
  { name: 'memory and share are killed, every replica', inflict: dispensed(killedForLong), killed: 4 },
  { name: 'memory and share hang, every replica', inflict: dispensed(hanging) },
  {
    name: 'one replica each of gateway, realtime, chat and llm-router drains under 200 streams, and no stream fails',
    // A draining replica closes its connections, so clients need not detect silence; 200 reconnecting clients would only prolong it.
    clients: { size: 200, pieceMs: 1_200, silenceMs: 30_000 },
    inflict: rolled('gateway', 'realtime', 'chat', 'llm-router'),
    killed: 4,
    cutsSockets: true,
  },
]
