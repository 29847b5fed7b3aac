export * from './principals.ts'
export * from './review-users.ts'
export * from './token-verifier.ts'
