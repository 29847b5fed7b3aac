import { expect, it } from 'vitest'
import { chat, done, given, message, refusal, start, stream } from '../../../../testing/given-session.ts'
import { editLast } from './edit-last.ts'

const page = chat([message({ id: 'u1', content: 'One' }), message({ id: 'a1', role: 'assistant' })])

it('the last question that was sent is edited, but not while an answer runs', async () => {
  const { session, state, settled } = given({ chatId: 'c1', page, answers: [refusal(409, 'conflict')] })
  await session.open()
  session.send('Two')
  expect(editLast(session)).toBe(false)
  await settled()
  expect(state().messages).toMatchObject([{}, {}, { content: 'Two', state: 'failed' }, {}])
  expect(editLast(session)).toBe(true)
  expect(state().editing).toEqual({ key: 'u1', text: 'One' })
})

it('a guest’s question, which has no versions, is not edited', async () => {
  const { session, settled } = given({ guest: true, answers: [stream([start, done])] })
  session.send('One')
  await settled()
  expect(editLast(session)).toBe(false)
})
