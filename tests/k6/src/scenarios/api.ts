import { check } from 'k6'
import http from 'k6/http'
import { bearer, expectStatus, json, me, optionsWith, prepared } from '../scenario.ts'

export { handleSummary } from '../summary.ts'
export const options = optionsWith({ 'http_req_duration{name:whole}': ['p(95)<3000'] })

const messages = [{ role: 'user', content: 'Hello' }]

/** A program with an API key requests one whole answer and one stream. */
export function run(): void {
  const headers = { ...json, ...bearer(me().key) }
  const ask = (name: string, stream: boolean) =>
    http.post(`${prepared.url}/api/v1/chat/completions`, JSON.stringify({ model: 'v3', messages, stream }), {
      headers,
      tags: { name },
      responseType: 'text',
    })
  const whole = ask('whole', false)
  if (expectStatus(whole, 200, 'a completion is answered')) {
    check(whole, { 'a completion says what it used': (it) => Number(it.json('usage.total_tokens')) > 0 })
  }
  const streamed = ask('stream', true)
  if (!expectStatus(streamed, 200, 'a completion is streamed')) return
  check(streamed, {
    'a streamed completion has its end': ({ body }) => (body ?? '').trimEnd().endsWith('data: [DONE]'),
  })
}
