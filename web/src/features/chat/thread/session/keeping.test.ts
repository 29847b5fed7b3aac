import { expect, it } from 'vitest'
import { chat, done, given, message, refusal, start, stream } from '../../../../testing/given-session.ts'

it('an answer is complete at its end, even if nothing was rendered meanwhile', async () => {
  const answers = [stream([start, { text: 'Hel' }, { text: 'lo' }, done])]
  const { session, state, settled } = given({ chatId: 'c1', page: chat([]), answers, draws: false })
  await session.open()
  session.send('Hi')
  await settled()
  expect(state().messages).toMatchObject([
    { id: 'u1', state: 'sent' },
    { id: 'm1', state: 'complete', content: 'Hello' },
  ])
})

it('a resumed answer that breaks before it caught up keeps the shown text', async () => {
  const half = message({ id: 'm1', role: 'assistant', content: 'Half of it', status: 'generating' })
  const pages = [chat([message({ id: 'u1' }), half], { generating: { messageId: 'm1' } })]
  const answers = [stream([start, { text: 'Ha' }]), refusal(404, 'not_found')]
  const { session, state, settled } = given({ chatId: 'c1', pages, answers, draws: false })
  await session.open()
  await settled()
  expect(state().messages.at(-1)).toMatchObject({ id: 'm1', content: 'Half of it' })
})

it('loading older messages stops if the server returns only known ones', async () => {
  const page = chat([message({ id: 'u1' }), message({ id: 'm1', role: 'assistant' })], { hasMore: true })
  const { session, state } = given({ chatId: 'c1', page })
  await session.open()
  await session.loadOlder()
  expect(state()).toMatchObject({ messages: [{ id: 'u1' }, { id: 'm1' }], hasMore: false, loading: 'none' })
})
