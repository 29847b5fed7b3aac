export * from './egress.ts'
export * from './endpoint-guard.ts'
export * from './page-fetcher.ts'
