export * from './change.ts'
export * from './documents.ts'
export * from './pg-documents.ts'
