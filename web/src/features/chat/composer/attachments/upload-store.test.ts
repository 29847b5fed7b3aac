import type { Attachment } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { createExtrasStore } from '../draft-extras.ts'
import { createUploadStore } from './upload-store.ts'

const attachment = (id: string): Attachment => ({
  id,
  type: 'image',
  mimeType: 'image/png',
  url: `/api/chat/files/${id}`,
  name: `${id}.png`,
  size: 3,
  detail: 'auto',
})

function setUp() {
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  const extras = createExtrasStore(() => storage, '')
  const sent: { end: PromiseWithResolvers<Attachment>; progress: (share: number) => void; signal: AbortSignal }[] = []
  const released: string[] = []
  let keys = 0
  const tray = createUploadStore({
    extras,
    createKey: () => String(++keys),
    wordsOf: (error) => String(error),
    addressOf: ({ name }) => `blob:${name}`,
    release: (address) => released.push(address),
    send: (_, progress, signal) => {
      const end = Promise.withResolvers<Attachment>()
      sent.push({ end, progress, signal })
      return end.promise
    },
  })
  return { tray, extras, sent, released, uploads: () => tray.store.getState().uploads }
}
const file = new File(['abc'], 'a.png', { type: 'image/png' })

describe('uploads', () => {
  it('show their progress and are added to the draft, with a preview', async () => {
    const { tray, extras, sent, uploads } = setUp()
    tray.add('new', file)
    sent[0]?.progress(0.5)
    expect(uploads()).toMatchObject([{ chat: 'new', progress: 0.5, failure: null }])
    sent[0]?.end.resolve(attachment('f1'))
    await expect.poll(uploads).toEqual([])
    expect(extras.read('new').attachments).toEqual([attachment('f1')])
    expect(tray.preview('f1')).toBe('blob:a.png')
  })

  it('have previews for as long as they are among the latest, so that a page left open keeps no picture for ever', async () => {
    const { tray, sent, released, uploads } = setUp()
    for (let nth = 0; nth < 22; nth += 1) {
      tray.add('new', new File(['abc'], `${nth}.png`, { type: 'image/png' }))
      sent[nth]?.end.resolve(attachment(`f${nth}`))
      await expect.poll(uploads).toEqual([])
    }
    expect(released).toEqual(['blob:0.png', 'blob:1.png'])
    expect([1, 2, 21].map((nth) => tray.preview(`f${nth}`))).toEqual([undefined, 'blob:2.png', 'blob:21.png'])
  })

  it('stay in the order in which they were added, whichever is uploaded first', async () => {
    const { tray, extras, sent, uploads } = setUp()
    extras.change('new', (now) => ({ ...now, attachments: [attachment('before')] }))
    for (let count = 0; count < 3; count += 1) tray.add('new', file)
    sent[0]?.end.reject('No room')
    await expect.poll(() => uploads()[0]?.failure).toBe('No room')
    sent[2]?.end.resolve(attachment('f3'))
    await expect.poll(() => uploads().length).toBe(2)
    sent[1]?.end.resolve(attachment('f2'))
    await expect.poll(() => uploads().length).toBe(1)
    tray.retry('1')
    sent[3]?.end.resolve(attachment('f1'))
    await expect.poll(uploads).toEqual([])
    expect(extras.read('new').attachments.map(({ id }) => id)).toEqual(['before', 'f1', 'f2', 'f3'])
  })

  it('move with a draft that becomes a chat', async () => {
    const { tray, extras, sent, uploads } = setUp()
    tray.add('new', file)
    tray.move('new', 'chat-1')
    sent[0]?.end.resolve(attachment('f1'))
    await expect.poll(uploads).toEqual([])
    expect(extras.read('chat-1').attachments).toHaveLength(1)
    expect(extras.read('new').attachments).toEqual([])
  })

  it('show why they failed and can be retried', async () => {
    const { tray, sent, uploads } = setUp()
    tray.add('new', file)
    sent[0]?.progress(0.5)
    sent[0]?.end.reject('No room')
    await expect.poll(() => uploads()[0]?.failure).toBe('No room')
    tray.retry('1')
    expect(uploads()).toMatchObject([{ progress: 0, failure: null }])
    expect(sent).toHaveLength(2)
  })

  it('are cancelled by removing them, and do not return', async () => {
    const { tray, extras, sent, uploads } = setUp()
    tray.add('new', file)
    tray.remove('1')
    expect(sent[0]?.signal.aborted).toBe(true)
    sent[0]?.end.resolve(attachment('f1'))
    await sent[0]?.end.promise
    expect(uploads()).toEqual([])
    expect(extras.read('new').attachments).toEqual([])
  })
})
