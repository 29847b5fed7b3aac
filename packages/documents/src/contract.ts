export * from './contract/documents.ts'
