import { check } from 'k6'
import exec from 'k6/execution'
import http, { type RefinedResponse } from 'k6/http'
import type { Options } from 'k6/options'
import type { Prepared, PreparedUser } from './prepared.ts'
import { profiles } from './profiles.ts'

/** This run's input. */
export const prepared: Prepared = JSON.parse(open(__ENV.PREPARED ?? ''))

/** The user of this virtual user; several share one when there are more of them. */
export const me = (): PreparedUser => prepared.users[(exec.vu.idInTest - 1) % prepared.users.length] as PreparedUser

/** Options of a scenario in the run's profile. @param thresholds added to the common ones: no wrong answer, hardly any failed request */
export function optionsWith(thresholds: Readonly<Record<string, string[]>>): Options {
  return {
    scenarios: {
      main: {
        executor: 'ramping-vus',
        exec: 'run',
        stages: [...profiles[prepared.profile](prepared.peak)],
        gracefulRampDown: '60s',
      },
    },
    thresholds: { checks: ['rate>0.999'], http_req_failed: ['rate<0.001'], ...thresholds },
    summaryTrendStats: ['avg', 'med', 'p(95)', 'p(99)', 'max'],
  }
}

/** Milliseconds after which a token is renewed; it expires after 15 minutes. */
const tokenMs = 10 * 60_000
let session: { readonly token: string; readonly until: number } | undefined

/** A token of this virtual user's user, or of the admin. */
export function tokenOf({ username, password, token }: PreparedUser): string {
  session ??= { token, until: Date.now() + tokenMs }
  if (Date.now() > session.until) {
    const body = JSON.stringify({ identifier: username, password })
    const login = http.post(`${prepared.url}/api/auth/login`, body, { headers: json, responseType: 'text' })
    expectStatus(login, 200, 'a user signs in anew')
    session = { token: String(login.json('token')), until: Date.now() + tokenMs }
  }
  return session.token
}

export const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` })
export const json = { 'content-type': 'application/json' }

/** Counts whether the status is as expected; logs the response if not. */
export function expectStatus(answer: RefinedResponse<'text'>, status: number, what: string): boolean {
  const isRight = check(answer, { [what]: ({ status: got }) => got === status })
  if (!isRight) console.warn(`${what}: ${answer.status} ${answer.error} ${(answer.body ?? '').slice(0, 200)}`)
  return isRight
}
