import http from 'k6/http'
import { chat } from '../answer.ts'
import { expectStatus, optionsWith, prepared } from '../scenario.ts'

export { handleSummary } from '../summary.ts'
export const options = optionsWith({ answer_first_byte: ['p(95)<1500'] })

/** A visitor opens the page and sends a message without an account. */
export function run(): void {
  const page = http.get(`${prepared.url}/`, { responseType: 'text' })
  expectStatus(page, 200, 'the page is there')
  const info = http.get(`${prepared.url}/api/chat/guest-info`, { responseType: 'text' })
  if (!expectStatus(info, 200, 'a guest is told their allowance')) return
  chat({ 'x-guest-session-id': String(info.json('guestSession.id')) })
}
