import type { StoreReport } from '../engine.ts'
import { isEngineRefusing, isEngineUnavailable } from '../engine-unavailable.ts'
import { reasonOf } from '../reason-of.ts'
import type { Finding } from './finding.ts'

/** A statement of who calls is good for 60 s; leases and codes are counted in seconds. Milliseconds. */
const skewMs = { notice: 2_000, wrong: 20_000 }

/** Words by which engines refuse a user or a password without a code of their own. */
const refusal = /password|authenti|WRONGPASS|NOAUTH|NOPERM|SASL|not authorized|permission denied/i

/**
 * Why an engine cannot be used, and what to do.
 * @param variables names of those that say where it is and who we are
 * @param logged what the engine's client said meanwhile, since the failure itself may only say that it took too long
 */
export function judgeFailure(what: string, error: unknown, variables: readonly string[], logged?: string): Finding {
  const reason = [...new Set([reasonOf(error), logged])].filter((text) => text !== undefined && text !== '').join('; ')
  const names = variables.join(', ')
  return { what, state: 'wrong', found: reason, advice: adviceOf(error, reason, names) }
}

function adviceOf(error: unknown, reason: string, names: string): string {
  if (isEngineRefusing(error) || refusal.test(reason))
    return `it is there and refuses this service: check user, password and database in ${names}, and that the user was made with its rights`
  if (
    isEngineUnavailable(error) ||
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|no answer within|connection/i.test(reason)
  )
    return `it is not reached: check host and port in ${names}, that it runs, and what is allowed between the networks`
  return `check ${names}, and the engine's own log`
}

/** How far two clocks are apart. @param now of this process, when the other one was read */
export function judgeClock(what: string, other: Date, now: Date): Finding {
  const apartMs = Math.abs(other.getTime() - now.getTime())
  const found = `its clock is ${(apartMs / 1_000).toFixed(1)} s from this process's`
  if (apartMs < skewMs.notice) return { what, state: 'fine', found }
  const state = apartMs < skewMs.wrong ? 'notice' : 'wrong'
  return { what, state, found, advice: 'have both machines keep their time by NTP' }
}

/** How a schema compares to this version. */
export function judgeSchema(what: string, { due, unknown }: Pick<StoreReport, 'due' | 'unknown'>): Finding {
  if (unknown.length > 0)
    return {
      what,
      state: 'notice',
      found: `the schema is newer than this version, which does not know ${unknown.join(', ')}`,
      advice: 'after a rollback by one version all is well; further back, restore a backup of that version',
    }
  if (due.length > 0)
    return {
      what,
      state: 'wrong',
      found: `the schema is older than this version; due: ${due.join(', ')}`,
      advice: 'run the command migrate of this service, or start it, which does the same',
    }
  return { what, state: 'fine', found: 'the schema is that of this version' }
}
