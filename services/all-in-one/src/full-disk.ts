import { resolve } from 'node:path'

/** The words of the system and of PostgreSQL for want of space. */
const codes = new Set(['ENOSPC', 'EDQUOT', '53100'])
const texts = /no space left on device|disk quota exceeded/i

/**
 * What an operator is told of a failure of the data directory: when its disk is full, which one and what to do; any other failure as it is,
 * since the system's own words name neither.
 */
export function explainFullDisk(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || !isOfFullDisk(error)) return error
  const advice = 'free some space, or have DATA_DIR name a folder on another disk, and start again'
  return new Error(`The disk that holds ${resolve(dataDir)} is full: ${advice}`, { cause: error })
}

function isOfFullDisk(error: Error): boolean {
  const { code } = error as { code?: unknown }
  return codes.has(String(code)) || texts.test(error.message)
}
