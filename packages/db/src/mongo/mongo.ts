export * from './duplicate-key.ts'
export * from './migrate-mongo.ts'
export * from './open-mongo.ts'
export * from './outbox.ts'
