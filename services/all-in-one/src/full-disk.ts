import { resolve } from 'node:path'

/** The error codes of the system and PostgreSQL for a full disk. */
const codes = new Set(['ENOSPC', 'EDQUOT', '53100'])
const texts = /no space left on device|disk quota exceeded/i

/**
 * Replaces the error of a full disk, which names neither the disk nor a remedy, by one that does; other errors stay unchanged.
 */
export function explainFullDisk(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || !isOfFullDisk(error)) return error
  const advice = 'free some space, or set DATA_DIR to a folder on another disk, and start again'
  return new Error(`The disk that holds ${resolve(dataDir)} is full: ${advice}`, { cause: error })
}

function isOfFullDisk(error: Error): boolean {
  const { code } = error as { code?: unknown }
  return codes.has(String(code)) || texts.test(error.message)
}
