import { describe, expect, it } from 'vitest'
import { chat, done, given, message, refusal, start, stream } from '../../../../testing/given-session.ts'
import { untilPasses } from '../../../../testing/until-passes.ts'

const answer = (id: string, fields: Parameters<typeof message>[0] = {}) => message({ id, role: 'assistant', ...fields })
const page = chat([
  message({ id: 'u1', content: 'one' }),
  answer('a1', { parentId: 'u1' }),
  message({ id: 'u2', content: 'two', parentId: 'a1' }),
  answer('a2', { parentId: 'u2' }),
])
const edited = chat([
  message({ id: 'u3', content: 'uno', versions: ['u1', 'u3'] }),
  answer('a3', { parentId: 'u3', content: 'Hello' }),
])
const ids = ({ state }: ReturnType<typeof given>) => state().messages.map(({ id }) => id)

async function opened(options: Parameters<typeof given>[0]) {
  const it = given({ chatId: 'c1', pages: [page], page: edited, ...options })
  await it.session.open()
  return it
}

describe('another version of a question', () => {
  it('replaces it immediately, with a new answer, and hides the messages after it', async () => {
    const it = await opened({ answers: [stream([{ ...start, messageId: 'a3', userMessageId: 'u3' }, { text: 'He' }])] })
    expect(it.session.edit('u1', 'uno')).toBe('sent')
    expect(it.state().messages.map(({ content }) => content)).toEqual(['uno', ''])
    expect(it.sent[0]).toMatchObject({ chatId: 'c1', message: 'uno', editMessageId: 'u1' })
    await untilPasses(() => expect(it.state().messages[0]).toMatchObject({ id: 'u3', versions: ['u1', 'u3'] }))
  })

  it('has the files and modes of the old one', async () => {
    const file = { id: 'f1', type: 'image', mimeType: 'image/png', url: '/f1', name: 'a.png', size: 3 } as const
    const attachments = [{ ...file, detail: 'high' } as const]
    const pages = [chat([message({ id: 'u1', content: 'one', attachments, modes: ['study'] }), answer('a1')])]
    const it = await opened({ pages })
    it.session.edit('u1', 'uno')
    expect(it.sent[0]).toMatchObject({
      attachments: [{ id: 'f1', name: 'a.png', detail: 'high' }],
      studyModeEnabled: true,
    })
    expect(it.state().messages[0]).toMatchObject({ content: 'uno', attachments, modes: ['study'] })
  })

  it('is shown as stored once the answer has ended', async () => {
    const it = await opened({ answers: [stream([{ ...start, messageId: 'a3', userMessageId: 'u3' }, done])] })
    it.session.edit('u1', 'uno')
    await untilPasses(() => expect(it.state().messages.at(-1)).toMatchObject({ id: 'a3', content: 'Hello' }))
    expect(it.state().replaced).toBeNull()
  })

  it('is placed below the present messages if it is refused, and remains the same edit when it is resent', async () => {
    const it = await opened({ answers: [refusal(409, 'conflict')] })
    it.session.edit('u2', 'dos')
    await untilPasses(() => expect(ids(it)).toEqual(['u1', 'a1', 'u2', 'a2', null, null]))
    const failed = it.state().messages[4]
    expect(failed).toMatchObject({ content: 'dos', state: 'failed' })
    it.session.resend(failed?.key ?? '')
    expect(it.sent[1]).toEqual(it.sent[0] && { ...it.sent[0] })
    expect(ids(it)).toEqual(['u1', 'a1', null, null])
  })

  it('returns to the composer if there are no credits, and the old one is restored', async () => {
    const it = await opened({ answers: [refusal(402, 'insufficient_credits')] })
    it.session.edit('u1', 'uno')
    await untilPasses(() => expect(it.state().returned?.text).toBe('uno'))
    expect(ids(it)).toEqual(['u1', 'a1', 'u2', 'a2'])
  })
})

describe('another version of an answer', () => {
  it('replaces it, anywhere in the thread and by any model', async () => {
    const it = await opened({ answers: [stream([{ ...start, messageId: 'a3', userMessageId: 'u1' }, { text: 'He' }])] })
    it.session.regenerate('a1', 'r1')
    expect(it.sent[0]).toMatchObject({ regenerateMessageId: 'a1', model: 'r1' })
    await untilPasses(() => expect(it.state().messages.at(-1)).toMatchObject({ id: 'a3', versions: ['a1', 'a3'] }))
    expect(ids(it)).toEqual(['u1', 'a3'])
  })

  it('changes nothing if it is refused', async () => {
    const it = await opened({ answers: [refusal(403, 'model_locked', 'Locked')] })
    it.session.regenerate('a1', 'r1')
    await it.settled()
    expect(ids(it)).toEqual(['u1', 'a1', 'u2', 'a2'])
    expect(it.state().messages[1]?.failure?.code).toBe('model_locked')
  })

  it('is selected on the server, whose thread is then shown', async () => {
    const it = await opened({})
    await it.session.showVersion('u3')
    expect(it.said).toEqual(['show u3'])
    expect(ids(it)).toEqual(['u3', 'a3'])
  })
})

describe('a rating', () => {
  it('is shown immediately and reverted if it could not be saved', async () => {
    const it = await opened({})
    await it.session.rate('a1', 'up', 'clear')
    expect(it.state().messages[1]?.feedback).toEqual({ rating: 'up', reason: 'clear' })
    const refused = it.session.rate('a1', 'down')
    expect(it.state().messages[1]?.feedback).toEqual({ rating: 'down' })
    await refused
    expect(it.state().messages[1]?.feedback).toEqual({ rating: 'up', reason: 'clear' })
    expect(it.said).toEqual(['rate up', 'rate down', 'rate failed'])
  })
})

describe('a message', () => {
  it('is sent with its files and modes, also when it is resent', async () => {
    const file = { id: 'f1', type: 'image', mimeType: 'image/png', url: '/api/chat/files/f1', name: 'a.png' } as const
    const attachments = [{ ...file, size: 3, detail: 'high' } as const]
    const it = await opened({ answers: [refusal(409, 'conflict')] })
    it.session.send('look', { attachments, modes: ['webSearch', 'study'] })
    await it.settled()
    const failed = it.state().messages.at(-2)
    expect(failed).toMatchObject({ attachments, modes: ['webSearch', 'study'] })
    it.session.resend(failed?.key ?? '')
    expect(it.sent).toHaveLength(2)
    for (const body of it.sent) {
      expect(body).toMatchObject({ attachments: [{ id: 'f1', detail: 'high' }], webSearchEnabled: true })
      expect(body).toMatchObject({ studyModeEnabled: true })
      expect(body.financeModeEnabled).toBeUndefined()
    }
  })
})
