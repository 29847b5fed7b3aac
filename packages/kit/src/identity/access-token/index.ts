export * from './principals.ts'
export * from './token-verifier.ts'
