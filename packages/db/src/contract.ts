export * from './contract/inbox.ts'
export * from './contract/outbox.ts'
