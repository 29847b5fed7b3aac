import { parseStored, readLocal, writeLocal } from './storage.ts'

/** One error of the interface, stored in this browser only. */
export interface LoggedError {
  readonly at: string
  readonly level: string
  readonly message: string
  readonly stack?: string
}

const key = 'errorLog'
const limit = 10

/** The last errors, oldest first, at most 10; empty when the stored text is damaged. */
export function readErrorLog(): readonly LoggedError[] {
  const stored = parseStored(readLocal(key))
  return Array.isArray(stored) ? (stored as LoggedError[]).slice(-limit) : []
}

/** Adds an error and keeps only the last 10. */
export function logError(level: string, error: unknown): void {
  const entry: LoggedError = {
    at: new Date().toISOString(),
    level,
    message: error instanceof Error ? error.message : String(error),
    ...(error instanceof Error && error.stack ? { stack: error.stack.slice(0, 2000) } : {}),
  }
  writeLocal(key, JSON.stringify([...readErrorLog(), entry].slice(-limit)))
}
