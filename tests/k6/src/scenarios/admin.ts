import http from 'k6/http'
import { bearer, expectStatus, optionsWith, prepared, tokenOf } from '../scenario.ts'

export { handleSummary } from '../summary.ts'
export const options = optionsWith({ http_req_duration: ['p(95)<1000'] })

const pages = ['stats', 'users?limit=50', 'users?query=load', 'models', 'plans', 'keys', 'settings', 'audit', 'health']

/** An admin opens the sections one after the other. */
export function run(): void {
  for (const page of pages) {
    const [path] = page.split('?')
    const answer = http.get(`${prepared.url}/api/admin/${page}`, {
      headers: bearer(tokenOf(prepared.admin)),
      tags: { name: `GET /api/admin/${path}` },
      responseType: 'text',
    })
    expectStatus(answer, 200, `admins see ${path}`)
  }
}
