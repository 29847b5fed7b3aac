import type { Registry } from '@parley/kit'
import { Counter, Gauge } from 'prom-client'

/** What realtime counts of itself. */
export interface RealtimeFigures {
  /** A chat was asked for. */
  joined(outcome: 'joined' | 'refused'): void
  /** A connection was closed by this side. */
  ended(code: string): void
}

/** @param open what is open at the moment of asking */
export function createFigures(
  registry: Registry,
  open: { readonly connections: () => number; readonly rooms: () => number },
): RealtimeFigures {
  gauge(registry, 'realtime_connections', 'Open connections of signed-in users', open.connections)
  gauge(registry, 'realtime_rooms', 'Chats that somebody follows', open.rooms)
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
  return { joined: (outcome) => joins.inc({ outcome }), ended: (code) => ends.inc({ code }) }
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  const made: Gauge = new Gauge({ name, help, registers: [registry], collect: () => made.set(read()) })
}
