import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceName } from '@parley/contracts'
import type { NativeEngine } from '@parley/testing/engines'
import type { Heard } from './listener.ts'
import type { Stage } from './stage.ts'

/** One fault: how it is made, how one sees that it took effect, how it ends, and what people may notice of it. */
export interface FaultRow {
  readonly name: string
  /** Makes the fault and resolves, once it is over, to what was observed of it; empty means it was not. */
  readonly inflict: (stage: Stage, heard: readonly Heard[]) => Promise<string>
  /** Answers may end early with their text kept. Left out, every answer must be whole. */
  readonly mayInterrupt?: boolean
  /** Processes of services that the fault itself ends. */
  readonly killed?: number
  /** Some who follow by sockets lose their connection, and find another one. */
  readonly cutsSockets?: boolean
}

/** Seconds that a broker may be away without anybody noticing. */
const brokerAwayMs = 60_000
const shortMs = 3_000

/** Kills an engine, keeps it away and starts it again on its data. */
const restarted =
  (name: keyof Stage['engines'], awayMs: number): FaultRow['inflict'] =>
  async ({ engines }) => {
    const engine: NativeEngine = engines[name]
    const before = engine.pid
    await engine.kill('SIGKILL')
    await pause(awayMs)
    await engine.start()
    return engine.pid === before ? '' : `process ${before} killed, ${engine.pid} took its place`
  }

/** Stops an engine's process for a while, as a machine that hangs. */
const frozen =
  (name: keyof Stage['engines'], forMs: number): FaultRow['inflict'] =>
  async ({ engines }, heard) => {
    engines[name].freeze()
    const before = eventsOf(heard)
    await pause(forMs)
    engines[name].thaw()
    return `process ${engines[name].pid} stopped for ${forMs / 1000} s; ${eventsOf(heard) - before} events were heard meanwhile`
  }

const eventsOf = (heard: readonly Heard[]): number => heard.reduce((sum, { seq }) => sum + seq, 0)

/** Kills one of two replicas of a service; the launcher starts another in its place. */
const replicaKilled =
  (service: ServiceName): FaultRow['inflict'] =>
  async ({ split }) => {
    const [victim] = split.replicas(service)
    if (victim === undefined) return ''
    const before = victim.pid
    await victim.kill('SIGKILL')
    await victim.restarted()
    return `process ${before} killed, ${victim.pid} took its place`
  }

/** Stops one of two replicas for longer than its leases last. */
const replicaFrozen =
  (service: ServiceName, forMs: number): FaultRow['inflict'] =>
  async ({ split }) => {
    const [victim] = split.replicas(service)
    if (victim === undefined) return ''
    victim.freeze()
    await pause(forMs)
    victim.thaw()
    return `process ${victim.pid} stopped for ${forMs / 1000} s`
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
  { name: 'Kafka away for 60 s', inflict: restarted('kafka', brokerAwayMs) },
  { name: 'Redis FLUSHALL', inflict: flushed },
  { name: 'Redis kill -9 and restart, empty', inflict: restarted('redis', shortMs) },
  { name: 'Redis hangs', inflict: frozen('redis', shortMs) },
  { name: 'MongoDB kill -9 and restart', inflict: restarted('mongo', shortMs) },
  { name: 'MongoDB hangs', inflict: frozen('mongo', shortMs) },
  { name: 'PostgreSQL kill -9 and restart', inflict: restarted('postgres', shortMs) },
  { name: 'PostgreSQL hangs', inflict: frozen('postgres', shortMs) },
  { name: 'gateway replica kill -9', inflict: replicaKilled('gateway'), killed: 1, cutsSockets: true },
  { name: 'auth replica kill -9', inflict: replicaKilled('auth'), killed: 1 },
  { name: 'billing replica kill -9', inflict: replicaKilled('billing'), killed: 1 },
  { name: 'notifier replica kill -9', inflict: replicaKilled('notifier'), killed: 1 },
  { name: 'realtime replica kill -9', inflict: replicaKilled('realtime'), killed: 1, cutsSockets: true },
  { name: 'llm-router replica kill -9', inflict: replicaKilled('llm-router'), killed: 1, mayInterrupt: true },
  { name: 'chat replica kill -9', inflict: replicaKilled('chat'), killed: 1, mayInterrupt: true },
  { name: 'chat replica hangs for longer than its leases', inflict: replicaFrozen('chat', 15_000), mayInterrupt: true },
  { name: 'realtime replica hangs', inflict: replicaFrozen('realtime', 6_000) },
  { name: 'gateway replica hangs', inflict: replicaFrozen('gateway', 6_000) },
]
