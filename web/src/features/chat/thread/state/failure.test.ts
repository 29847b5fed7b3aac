import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import texts from '../../../../locales/en/deferred/chat.json' with { type: 'json' }
import { failureOfEnd, failureOfRefusal, textOfServer } from './failure.ts'

it('that an answer broke off, which is stored in English, is said in the language of the interface', () => {
  const sentence = texts['chat.failure.interrupted']
  const ending = new URL('../../../../../../services/chat/src/generation/ending.ts', import.meta.url)
  expect(readFileSync(ending, 'utf8')).toContain(`'${sentence}'`)
  expect(textOfServer(sentence)).toEqual({ type: 'own', id: 'chat.failure.interrupted' })
})

it('another text of the server about a failure is shown as it is', () => {
  const end = { type: 'error' as const, error: 'Quota of the team is used up', code: 'provider_error' }
  expect(failureOfEnd(end, true)).toMatchObject({ text: { type: 'server', text: end.error }, charge: 'text' })
})

it('a refusal says when a retry makes sense, and by which id the log knows the call', () => {
  const refusal = { status: 429, code: 'rate_limited', message: 'Slow down', retryAfter: 30, requestId: 'r1' }
  expect(failureOfRefusal(refusal, false)).toMatchObject({ retryAfter: 30, requestId: 'r1', charge: 'none' })
})
