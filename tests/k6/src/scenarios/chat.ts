import http from 'k6/http'
import { chat } from '../answer.ts'
import { bearer, expectStatus, me, optionsWith, prepared, tokenOf } from '../scenario.ts'

export { handleSummary } from '../summary.ts'
export const options = optionsWith({ answer_first_byte: ['p(95)<1500'] })

/** A user sends a message, reads the answer, and opens the list of chats. */
export function run(): void {
  const headers = bearer(tokenOf(me()))
  chat(headers)
  const list = http.get(`${prepared.url}/api/chat/history?limit=20`, { headers, responseType: 'text' })
  expectStatus(list, 200, 'the list of chats is there')
}
