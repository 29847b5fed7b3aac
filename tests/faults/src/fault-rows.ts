import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceName } from '@parley/contracts'
import type { NativeEngine } from '@parley/engines'
import type { Replica } from '@parley/split'
import { waitUntil } from '@parley/testing'
import type { Clients, ClientsOptions } from './clients.ts'
import type { Received } from './listener.ts'
import type { Stage } from './stage.ts'

/** One fault: how it is made, how one sees that it took effect, how it ends, and what people may notice of it. */
export interface FaultRow {
  readonly name: string
  /** Makes the fault and resolves, once it is over, to what was observed of it; empty means it was not. */
  readonly inflict: (stage: Stage, clients: Clients) => Promise<string>
  /** Those who chat meanwhile; 50 by default. */
  readonly clients?: ClientsOptions
  /** Answers may end early with their text kept. Left out, every answer must be whole. */
  readonly mayInterrupt?: boolean
  /** Processes of services that the fault itself ends. */
  readonly killed?: number
  /** Some who follow by sockets lose their connection, and find another one. */
  readonly cutsSockets?: boolean
}

/**
 * Longer than a request to Kafka (8 s) and a member's session (6 s), and until relays and consumers, which try again ever more slowly, do so
 * every 5 s only, as they do for ever from then on: some 14 s. Nothing else in the system counts how long Kafka is unavailable.
 */
const kafkaDownMs = 16_000
/** Longer than services wait for Redis (0.2 s) and for a connection to PostgreSQL (2 s). */
const shortMs = 3_000
/** Longer than a member of a consumer group may be silent (6 s). */
const sessionMs = 7_000
const limitMs = 120_000

/** Kafka is killed and every answer goes on and ends without it; started again, it is told of all of them. */
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

/** Kills an engine, keeps it away and starts it again on its data. */
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

/** Stops an engine's process for a while, as a machine that hangs. */
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

/** The one of two replicas of each of these services that is hurt. */
const victimsOf = ({ split }: Stage, services: readonly ServiceName[]): Replica[] =>
  services.map((service) => {
    const [victim] = split.replicas(service)
    if (victim === undefined) throw new Error(`${service} has no replica`)
    return victim
  })

/** Kills one of two replicas of each of these services, all at once; the launcher starts others in their places. */
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

/** Waits for another process in the place of one that has ended. */
async function replaced(victim: Replica, before: number): Promise<string> {
  await victim.restarted()
  if (victim.pid === before) throw new Error(`${victim.name} is still process ${before}`)
  return `${victim.name} was process ${before}, is ${victim.pid}`
}

/** Stops one of two replicas until it is given nothing any more and every answer goes on, or was ended, without it. */
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

/** One of two replicas of each of these services is told to stop, one after the other; while all of them drain every answer goes on. */
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

const flushed: FaultRow['inflict'] = async ({ engines }) => {
  const { hostname, port } = new URL(engines.redis.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write('DBSIZE\r\nFLUSHALL\r\nDBSIZE\r\nQUIT\r\n')
  const [before, said] = (await text(socket)).split('\r\n')
  return said === '+OK' && before !== ':0' ? `FLUSHALL threw away ${before?.slice(1)} keys` : ''
}

/** Every fault of the suite, in the order in which it runs. */
export const faultRows: readonly FaultRow[] = [
  { name: 'Kafka away until everything tries again as slowly as it ever does', inflict: kafkaDown },
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
  {
    name: 'a replica each of gateway, realtime, chat and llm-router is told to stop under 200 streams, and none of them fails',
    // Who is told to stop ends its connections: nobody has to guess from silence, which 200 who ask again would make longer.
    clients: { size: 200, pieceMs: 1_200, silenceMs: 30_000 },
    inflict: rolled('gateway', 'realtime', 'chat', 'llm-router'),
    killed: 4,
    cutsSockets: true,
  },
]
