import { check } from 'k6'
import http, { type RefinedResponse } from 'k6/http'
import { Counter, Trend } from 'k6/metrics'
import { faultOf } from './event-stream.ts'
import { expectStatus, json, prepared } from './scenario.ts'

/** Milliseconds to the first byte of an answer's stream. */
const firstByte = new Trend('answer_first_byte', true)
const events = new Counter('answer_events')

/** The demo provider gives a long answer to a question with these words. */
const question = 'Explain at length, with a table and code'

/** Sends a message, reads the answer to its end and checks its events against the contract. Returns the response. */
export function chat(headers: Readonly<Record<string, string>>, body: object = {}): RefinedResponse<'text'> {
  const answer = http.post(`${prepared.url}/api/chat`, JSON.stringify({ message: question, model: 'v3', ...body }), {
    headers: { ...json, ...headers },
    tags: { name: 'POST /api/chat' },
    timeout: '120s',
    responseType: 'text',
  })
  if (!expectStatus(answer, 200, 'a message is answered')) return answer
  firstByte.add(answer.timings.waiting)
  const { count, fault } = faultOf(answer.body ?? '')
  events.add(count)
  if (fault !== undefined) console.warn(`an answer ${fault}`)
  check(fault, { 'an answer is whole and in order': (it) => it === undefined })
  return answer
}
