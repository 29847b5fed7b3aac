export * from './event-bus.ts'
export * from './event-of.ts'
export * from './postgres/pg-bus.ts'
export * from './relay.ts'
