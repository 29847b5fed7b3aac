import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { processIdentity } from './processes.ts'

/**
 * Claims a data directory for this process by a file in it; a claim ends with its process, however that ends.
 * @returns how to give it up
 * @throws when another living process, or this one, has claimed it
 */
export function claimDataDir(dataDir: string): () => void {
  const file = `${dataDir}/parley.lock`
  const mine = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, mine, { mode: 0o600 })
  try {
    if (!tryLink(draft, file)) {
      removeStaleClaim(file, dataDir)
      if (!tryLink(draft, file)) throw inUse(dataDir)
    }
  } finally {
    rmSync(draft)
  }
  return () => rmSync(file, { force: true })
}

const inUse = (dataDir: string, pid?: number): Error =>
  new Error(`${dataDir} is in use by another Parley${pid === undefined ? '' : ` (process ${pid})`}: stop it first`)

/** Linking a finished file is atomic and refuses to replace one, so a claim is never seen half written. */
function tryLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function removeStaleClaim(file: string, dataDir: string): void {
  const seen = readClaim(file)
  if (seen === undefined) return
  if (seen.pid !== undefined && seen.identity === processIdentity(seen.pid)) throw inUse(dataDir, seen.pid)
  const aside = `${file}.stale.${randomBytes(6).toString('hex')}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  // Between reading and moving, another process may have replaced the stale claim by a living one: give it back.
  const wasStale = readClaim(aside)?.text === seen.text
  if (!wasStale) tryLink(aside, file)
  rmSync(aside)
}

function readClaim(file: string): { text: string; pid?: number; identity?: string } | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    return { ...parseClaim(text), text }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function parseClaim(text: string): { pid?: number; identity?: string } {
  try {
    return JSON.parse(text) as { pid?: number; identity?: string }
  } catch {
    // Not a claim at all, so it belongs to nobody.
    return {}
  }
}
