import { isEngineRefusing, isEngineUnavailable } from '../errors/engine-unavailable.ts'
import { reasonOf } from '../errors/reason-of.ts'
import type { StoreReport } from '../service/engine.ts'
import type { Finding } from './finding.ts'

/** Clock skew in milliseconds: signed identities are valid for 60 s; leases and codes are timed in seconds. */
const skewMs = { notice: 2_000, wrong: 20_000 }

/** Errors by which engines reject a user or a password without an error code. */
const refusal =
  /password|authenti|WRONGPASS|NOAUTH|NOPERM|SASL|refuses these credentials|not authorized|permission denied/i
/** Errors of a connection that one side encrypts differently than the other expects. */
const encryption = /\bSSL\b|\bTLS\b|certificate|self-signed|wrong version number/i
const absence =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|no answer within|cannot be reached|Broker not connected|connection/i
const lateness = /in time|no answer within|time-?out|timed out/i

/**
 * Why an engine cannot be used, and how to fix it.
 * @param variables names of the variables with its address and credentials
 * @param logged the last warning of the engine's client, since the error itself may only be a timeout
 */
export function judgeFailure(what: string, error: unknown, variables: readonly string[], logged?: string): Finding {
  const reason = [...new Set([reasonOf(error), logged])].filter((text) => text !== undefined && text !== '').join('; ')
  return { what, state: 'wrong', found: reason, advice: adviceOf(error, reason, variables) }
}

/** Whether an engine may only be too busy to answer in time, so that it is worth another attempt. */
export const isLate = (error: unknown): boolean => lateness.test(reasonOf(error)) && !absence.test(causeOf(error))

const causeOf = (error: unknown): string => (error instanceof Error && error.cause ? reasonOf(error.cause) : '')

function adviceOf(error: unknown, reason: string, variables: readonly string[]): string {
  const those = (pattern: RegExp): string => variables.filter((name) => pattern.test(name)).join(', ')
  const addresses = those(/_(URL|BROKERS)$/)
  if (encryption.test(reason))
    return `it is reachable, but one side expects TLS and the other does not, or its certificate is not trusted: check ${those(/_(URL|TLS)$/)}, and set NODE_EXTRA_CA_CERTS to the certificates of your own authority`
  if (isEngineRefusing(error) || refusal.test(reason)) {
    const [url, names] = [those(/_URL$/), those(/_(USERNAME|PASSWORD)$/)]
    const what = url === '' ? `user and password in ${names}` : `user, password and database in ${url}`
    return `it is reachable but refuses this service: check the ${what}, and that the user was created with its privileges`
  }
  if (isEngineUnavailable(error) || absence.test(reason))
    return `it is unreachable: check the host and port in ${addresses}, whether it is running, and the network policies`
  return `check ${addresses} and the engine's log`
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
