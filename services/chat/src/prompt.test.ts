import { type Attachment, builtInSystemPrompt, type PromptMessage } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { buildPrompt, type Turn } from './prompt.ts'

const model = { contextLength: 1_000, maxTokens: 200 }
const turns = (count: number, length: number): Turn[] =>
  Array.from({ length: count }, (_, nth) => ({
    role: nth % 2 ? 'assistant' : 'user',
    content: `${nth} `.padEnd(length, 'ab'),
  }))

describe('a prompt', () => {
  it('begins with the system prompt, the built-in one when none is set', () => {
    expect(buildPrompt('Be kind.', turns(1, 10), model).messages[0]).toEqual({ role: 'system', content: 'Be kind.' })
    expect(buildPrompt(' ', turns(1, 10), model).messages[0]?.content).toBe(builtInSystemPrompt)
  })

  it('keeps the latest turns that fit beside the answer, from a user turn on', () => {
    const history = turns(21, 400)
    const { messages, tokens } = buildPrompt('Short.', history, model)
    const kept = messages.slice(1)
    expect(kept).toEqual(history.slice(-kept.length))
    expect(kept).toHaveLength(7)
    expect(kept[0]?.role).toBe('user')
    expect(tokens).toBeLessThanOrEqual(800)
    expect(buildPrompt('Short.', history, { ...model, contextLength: 10_000 }).messages).toHaveLength(22)
  })

  it('begins no conversation with an answer, though it would fit', () => {
    const history = turns(21, 400)
    const kept = buildPrompt('Short.', history, { ...model, contextLength: 900 }).messages.slice(1)
    expect(kept).toEqual(history.slice(-5))
    expect(kept[0]?.role).toBe('user')
  })

  it('always keeps the question', () => {
    const { messages } = buildPrompt('Short.', turns(3, 8_000), model)
    expect(messages).toHaveLength(2)
  })

  it('cleans what users wrote and nothing else', () => {
    const { messages } = buildPrompt(
      'the the',
      [
        { role: 'user', content: 'the the' },
        { role: 'assistant', content: 'the the' },
        { role: 'user', content: 'sooo??' },
      ],
      model,
    )
    expect(messages.map(({ content }) => content)).toEqual(['the the', 'the', 'the the', 'soo?'])
  })
})

describe('files of a prompt', () => {
  const file = (name: string, more: Partial<Attachment> = {}): Attachment => ({
    ...{
      id: name,
      type: 'image',
      mimeType: 'image/png',
      url: `/api/chat/files/${name}`,
      name,
      size: 1_000,
      detail: 'high',
    },
    ...more,
  })
  const roomy = { contextLength: 10_000, maxTokens: 200 }
  const asked = (content: string, ...attachments: Attachment[]): Turn => ({ role: 'user', content, attachments })

  it('go with their messages, as far as there is room, the latest first', () => {
    const history = [
      asked('first', file('old.pdf', { type: 'file', mimeType: 'application/pdf', pages: 9 })),
      asked('second', file('new.png')),
      asked('third', file('now.png', { detail: 'low' })),
    ]
    const { messages, files, tokens, room } = buildPrompt('Short.', history, roomy)
    expect(messages.map((message) => files.get(message)?.map(({ name }) => name))).toEqual([
      undefined,
      undefined,
      ['new.png'],
      ['now.png'],
    ])
    expect(messages[1]?.content).toBe('first\n\n[Attached earlier, and left out for want of room: old.pdf]')
    expect(tokens).toBeGreaterThan(1_300)
    expect(tokens + room).toBe(9_800)
  })

  it('of the question always go with it', () => {
    const pages = { type: 'file', mimeType: 'application/pdf', pages: 200 } as const
    const { messages, files, room } = buildPrompt('Short.', [asked('Read', file('long.pdf', pages))], roomy)
    expect(files.get(messages[1] as PromptMessage)).toHaveLength(1)
    expect(room).toBe(0)
  })

  it('leave room for what tools give', () => {
    const history = [asked('ab'.repeat(4_000)), asked('cd'.repeat(14_000))]
    expect(buildPrompt('Short.', history, roomy).messages).toHaveLength(3)
    expect(buildPrompt('Short.', history, roomy, 2_000).messages).toHaveLength(2)
  })

  it('made by an answer are named where it said nothing', () => {
    const history: Turn[] = [
      asked('Draw'),
      { role: 'assistant', content: '', attachments: [file('cat.png')] },
      asked('Nice'),
    ]
    expect(buildPrompt('Short.', history, roomy).messages[2]?.content).toBe('[An image was made.]')
  })
})
