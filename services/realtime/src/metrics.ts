import { measureNow, type Registry } from '@parley/kit'
import { Counter } from 'prom-client'

/** The metrics of realtime. */
export type RealtimeMetrics = ReturnType<typeof createRealtimeMetrics>

/** @param open reads the gauges at the time of the scrape */
export function createRealtimeMetrics(
  registry: Registry,
  open: { readonly connections: () => number; readonly rooms: () => number },
) {
  const connections = { name: 'realtime_connections', help: 'Open connections of signed-in users' }
  measureNow(registry, connections, open.connections)
  measureNow(registry, { name: 'realtime_rooms', help: 'Joined chats' }, open.rooms)
  const joins = new Counter({
    name: 'realtime_joins_total',
    help: 'Joins of chats',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const ends = new Counter({
    name: 'realtime_ends_total',
    help: 'Connections that the server closed, by reason',
    labelNames: ['code'],
    registers: [registry],
  })
  return {
    /** A client asked to join a chat. */
    joined: (outcome: 'joined' | 'refused') => joins.inc({ outcome }),
    /** The server closed a connection. */
    ended: (code: string) => ends.inc({ code }),
  }
}
