import { describe, expect, it } from 'vitest'
import { chat, given, message, refusal } from '../../../../testing/given-session.ts'
import { untilPasses } from '../../../../testing/until-passes.ts'

const made = { imageUrl: '/api/chat/files/f1', model: 'img', creditsCharged: 5, userMessageId: 'u1', messageId: 'a1' }
const image = {
  id: 'f1',
  type: 'image',
  mimeType: 'image/png',
  url: made.imageUrl,
  name: 'x',
  size: 9,
  detail: 'auto',
} as const
const page = chat([
  message({ id: 'u1', content: 'a fox', clientMessageId: 'id2' }),
  message({ id: 'a1', role: 'assistant', content: '', attachments: [image], parentId: 'u1' }),
])

describe('an image', () => {
  it('creates a chat, shows the prompt immediately, then the image, and is stored', async () => {
    const { session, state, said, created } = given({ images: [made], page })
    expect(session.makeImage('a fox')).toBe('sent')
    expect(state().messages).toMatchObject([{ content: 'a fox', state: 'saving' }, { state: 'generating' }])
    expect(session.send('more')).toBe('busy')
    expect(session.makeImage('another')).toBe('busy')
    await untilPasses(() => expect(said).toEqual(['image a fox undefined id2', 'save c1 2']))
    expect(created).toEqual(['c1'])
    expect(state().messages).toMatchObject([{ state: 'sent' }, { state: 'complete', attachments: [image] }])
  })

  it.each([
    [refusal(502, 'provider_error', 'Down.'), 'live.failure.image', { reason: 'Down.' }],
    [refusal(0, 'network', ''), 'live.failure.image.network', undefined],
    [{ ...made, imageUrl: '' }, 'live.failure.image.noUrl', undefined],
  ])('shows why it failed (%#), and is retried under the same id', async (result, id, values) => {
    const { session, state, said } = given({ images: [result, made], page })
    session.makeImage('a fox', 'img')
    await untilPasses(() => expect(state().live).toBeNull())
    const [request, answer] = state().messages
    expect(answer?.failure?.text).toEqual({ type: 'own', id, ...(values && { values }) })
    expect(request?.state).toBe('failed')
    session.resend(request?.key ?? '')
    await untilPasses(() => expect(said.filter((word) => word === 'image a fox img id2')).toHaveLength(2))
  })

  it('returns its prompt if there are no credits', async () => {
    const { session, state } = given({ images: [refusal(402, 'insufficient_credits')] })
    session.makeImage('a fox')
    await untilPasses(() => expect(state().returned?.text).toBe('a fox'))
    expect(state().messages).toEqual([])
  })

  it('is refused without a prompt, and for guests', () => {
    expect(given({}).session.makeImage(' ')).toBe('blank')
    expect(given({ guest: true }).session.makeImage('a fox')).toBe('busy')
  })
})

describe('another version of an image', () => {
  const old = message({ id: 'a1', role: 'assistant', content: '', model: 'img', attachments: [image], parentId: 'u1' })
  const first = chat([
    message({ id: 'u1', content: 'a fox' }),
    old,
    message({ id: 'u2', content: 'thanks', parentId: 'a1' }),
  ])
  const anew = { ...made, imageUrl: '/api/chat/files/f2', messageId: 'a2' }
  const versions = ['a1', 'a2']
  const second = chat([
    message({ id: 'u1', content: 'a fox' }),
    message({ ...old, id: 'a2', attachments: [{ ...image, id: 'f2', url: anew.imageUrl }], versions }),
  ])
  const ids = ({ state }: ReturnType<typeof given>) => state().messages.map(({ id }) => id)
  const opened = async (options: Parameters<typeof given>[0]) => {
    const it = given({ chatId: 'c1', pages: [first], page: second, ...options })
    await it.session.open()
    return it
  }

  it('replaces it immediately, uses the same prompt and model, and is linked as a version', async () => {
    const it = await opened({ images: [anew] })
    const shown: (readonly string[] | undefined)[] = []
    it.session.store.subscribe(({ messages }) => shown.push(messages[1]?.versions))
    it.session.regenerate('a1')
    expect(it.state()).toMatchObject({ live: { source: 'image' }, messages: [{ id: 'u1' }, { state: 'generating' }] })
    await untilPasses(() =>
      expect(it.said).toEqual([expect.stringMatching(/^image a fox img \S+ beside a1$/), 'save c1 2']),
    )
    expect(it.state().messages).toMatchObject([
      { id: 'u1', state: 'sent' },
      { id: 'a2', state: 'complete', versions },
    ])
    // Until the server responds, the row has both.
    expect(shown.find((those) => those?.length === 2)).toEqual(versions)
    expect(it.state().replaced).toBeNull()
    expect(it.sent).toEqual([])
  })

  it('ends an earlier part of the thread, in which it is made', async () => {
    const it = given({ chatId: 'c1', pages: [{ ...first, hasNewer: true }], page: second, images: [anew] })
    await it.session.reveal('a1')
    it.session.regenerate('a1')
    expect(it.state().messages).toMatchObject([{ id: 'u1' }, { state: 'generating' }])
    await it.settled()
    expect(ids(it)).toEqual(['u1', 'a2'])
    expect(it.state().hasNewer).toBe(false)
  })

  it('that fails leaves the old one and its replies, shows why, and is retried under the same id', async () => {
    const it = await opened({ images: [refusal(502, 'provider_error', 'Down.'), anew] })
    it.session.regenerate('a1')
    await it.settled()
    expect(ids(it)).toEqual(['u1', 'a1', 'u2'])
    const text = { type: 'own', id: 'live.failure.image', values: { reason: 'Down.' } }
    expect(it.state().messages[1]).toMatchObject({ state: 'complete', attachments: [image], failure: { text } })
    it.session.regenerate('a1')
    await untilPasses(() => expect(ids(it)).toEqual(['u1', 'a2']))
    const [request, again] = it.said
    expect(again).toBe(request)
  })

  it('has a new id each time, unless it failed', async () => {
    const it = await opened({ images: [anew, anew] })
    it.session.regenerate('a1')
    await untilPasses(() => expect(it.said).toContain('save c1 2'))
    it.session.regenerate(it.state().messages[1]?.key ?? '')
    await it.settled()
    const requests = it.said.filter((word) => word.startsWith('image'))
    expect(requests).toHaveLength(2)
    expect(new Set(requests.map((word) => word.split(' ')[4])).size).toBe(2)
    expect(requests[1]).toMatch(/ beside a2$/)
  })

  it('changes nothing if there are no credits, not even the composer', async () => {
    const it = await opened({ images: [refusal(402, 'insufficient_credits')] })
    it.session.regenerate('a1')
    await it.settled()
    expect(ids(it)).toEqual(['u1', 'a1', 'u2'])
    expect(it.state()).toMatchObject({ returned: null, blocked: { code: 'insufficient_credits' } })
  })
})
