export * from './answer-waiters.ts'
export * from './engine.ts'
export * from './memory/memory-hub.ts'
export * from './ports.ts'
