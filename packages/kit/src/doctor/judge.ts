import type { StoreReport } from '../engine.ts'
import { isEngineRefusing, isEngineUnavailable } from '../engine-unavailable.ts'
import { reasonOf } from '../reason-of.ts'
import type { Finding } from './finding.ts'

/** Clock skew in milliseconds: signed identities are valid for 60 s; leases and codes are timed in seconds. */
const skewMs = { notice: 2_000, wrong: 20_000 }

/** Errors by which engines reject a user or a password without an error code. */
const refusal = /password|authenti|WRONGPASS|NOAUTH|NOPERM|SASL|not authorized|permission denied/i

/**
 * Why an engine cannot be used, and how to fix it.
 * @param variables names of the variables with its address and credentials
 * @param logged the last warning of the engine's client, since the error itself may only be a timeout
 */
export function judgeFailure(what: string, error: unknown, variables: readonly string[], logged?: string): Finding {
  const reason = [...new Set([reasonOf(error), logged])].filter((text) => text !== undefined && text !== '').join('; ')
  const names = variables.join(', ')
  return { what, state: 'wrong', found: reason, advice: adviceOf(error, reason, names) }
}

function adviceOf(error: unknown, reason: string, names: string): string {
  if (isEngineRefusing(error) || refusal.test(reason))
    return `it is reachable but refuses this service: check the user, password and database in ${names}, and that the user was created with its privileges`
  if (
    isEngineUnavailable(error) ||
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|no answer within|connection/i.test(reason)
  )
    return `it is unreachable: check the host and port in ${names}, whether it is running, and the network policies`
  return `check ${names} and the engine's log`
}

/** The difference between two clocks. @param now this process's time when the other clock was read */
export function judgeClock(what: string, other: Date, now: Date): Finding {
  const apartMs = Math.abs(other.getTime() - now.getTime())
  const found = `its clock differs from this process's by ${(apartMs / 1_000).toFixed(1)} s`
  if (apartMs < skewMs.notice) return { what, state: 'fine', found }
  const state = apartMs < skewMs.wrong ? 'notice' : 'wrong'
  return { what, state, found, advice: 'synchronise the clocks of both machines with NTP' }
}

/** How a schema compares to this version's migrations. */
export function judgeSchema(what: string, { due, unknown }: Pick<StoreReport, 'due' | 'unknown'>): Finding {
  if (unknown.length > 0)
    return {
      what,
      state: 'notice',
      found: `the schema is newer than this version, which does not know ${unknown.join(', ')}`,
      advice: 'this is fine after a rollback by one version; to roll back further, restore a backup of that version',
    }
  if (due.length > 0)
    return {
      what,
      state: 'wrong',
      found: `the schema is older than this version; pending: ${due.join(', ')}`,
      advice: 'run the migrate command of this service, or start it, which migrates, too',
    }
  return { what, state: 'fine', found: 'the schema matches this version' }
}
