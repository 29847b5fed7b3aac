import { describe, expect, it } from 'vitest'
import { chat, done, given, message, refusal, start, stream } from '../../../../testing/given-session.ts'
import { untilPasses } from '../../../../testing/until-passes.ts'

const half = message({
  id: 'a1',
  role: 'assistant',
  content: 'Half',
  parentId: 'u1',
  versions: ['a0', 'a1'],
  finishReason: 'stopped',
  usage: { inputTokens: 1, outputTokens: 1, estimated: false },
  credits: 1,
})
const page = chat([message({ id: 'u1', content: 'Go', versions: ['u0', 'u1'] }), half])
const whole = chat([message({ id: 'u1', content: 'Go' }), { ...half, content: 'Half and all', finishReason: 'stop' }])
const again = { ...start, messageId: 'a1', generationId: 'g2' }

async function opened(options: Parameters<typeof given>[0]) {
  const it = given({ chatId: 'c1', pages: [page], page: whole, ...options })
  await it.session.open()
  return it
}
const last = ({ state }: ReturnType<typeof given>) => state().messages.at(-1)

describe('a continued answer', () => {
  it('grows in its row, with its versions, over its own stream', async () => {
    const it = await opened({ answers: [stream([again, { text: 'Half' }, { text: ' and' }])] })
    it.session.continueAnswer('a1')
    expect(it.sent[0]).toEqual({
      model: 'v3',
      chatId: 'c1',
      continueMessageId: 'a1',
      clientMessageId: expect.any(String),
    })
    expect(last(it)).toMatchObject({ content: 'Half', state: 'generating' })
    await untilPasses(() => expect(it.state().live).toMatchObject({ content: 'Half and', streamId: 'g2' }))
    expect(it.state().messages.map(({ versions }) => versions)).toEqual([
      ['u0', 'u1'],
      ['a0', 'a1'],
    ])
    await untilPasses(() => expect(it.resumed[0]).toContain('g2'))
  })

  it('is shown as stored once it has ended', async () => {
    const it = await opened({ answers: [stream([again, { text: 'Half' }, { text: ' and all' }, done])] })
    it.session.continueAnswer('a1')
    await untilPasses(() => expect(last(it)).toMatchObject({ content: 'Half and all', state: 'complete' }))
    expect(it.state()).toMatchObject({ live: null, replaced: null })
  })

  it.each([
    ['refused', [refusal(409, 'conflict')]],
    ['without a word', [stream([again, { text: 'Half' }, { error: 'Broken', code: 'provider_error' }])]],
  ])('stays unchanged if continuing it is %s', async (_how, answers) => {
    const it = await opened({ answers, page })
    const before = last(it)
    it.session.continueAnswer('a1')
    await untilPasses(() => expect(it.state().live).toBeNull())
    expect(last(it)).toMatchObject({ ...before, versions: ['a0', 'a1'] })
    expect(it.said).toContain('continue failed')
  })

  it('is the last one of its thread, and has ended', async () => {
    const it = await opened({})
    it.session.continueAnswer('u1')
    expect(it.sent).toEqual([])
    it.session.continueAnswer('a1')
    it.session.continueAnswer('a1')
    expect(it.sent).toHaveLength(1)
  })

  it('is sent with the preceding messages for a guest, whose receipt counts both parts', async () => {
    const usage = { ...done.usage, estimated: true }
    const it = given({
      guest: true,
      answers: [
        stream([start, { text: 'Half' }, { ...done, usage, finishReason: 'length' }]),
        stream([{ ...again, messageId: 'm1' }, { text: 'Half' }, { text: ' and all' }, done]),
      ],
    })
    it.session.send('Go')
    await untilPasses(() => expect(last(it)?.finishReason).toBe('length'))
    const key = last(it)?.key ?? ''
    it.session.continueAnswer(key)
    expect(it.sent[1]).toMatchObject({ continueMessageId: 'm1', messages: [{ content: 'Go' }, { content: 'Half' }] })
    await it.settled()
    // No reload brings a guest the sums of both parts.
    const sums = { usage: { inputTokens: 4, outputTokens: 6, estimated: true }, credits: 2 }
    expect(last(it)).toMatchObject({ content: 'Half and all', ...sums })
  })
})
