import http from 'k6/http'
import { bearer, expectStatus, json, me, optionsWith, prepared } from '../scenario.ts'

export { handleSummary } from '../summary.ts'
// Password hashing takes about 0.1 s of a processor by design.
export const options = optionsWith({ 'http_req_duration{name:POST /api/auth/login}': ['p(95)<3000'] })

/** A user signs in, reads the profile and signs out. */
export function run(): void {
  const { username, password } = me()
  const login = http.post(`${prepared.url}/api/auth/login`, JSON.stringify({ identifier: username, password }), {
    headers: json,
    tags: { name: 'POST /api/auth/login' },
    responseType: 'text',
  })
  if (!expectStatus(login, 200, 'the right password signs in')) return
  const headers = bearer(String(login.json('token')))
  expectStatus(
    http.get(`${prepared.url}/api/user/profile`, { headers, responseType: 'text' }),
    200,
    'the profile is there',
  )
  const logout = http.post(`${prepared.url}/api/auth/logout`, null, { headers, responseType: 'text' })
  expectStatus(logout, 204, 'signing out works')
}
