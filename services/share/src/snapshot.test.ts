import { type ChatSnapshot, maxRedacted } from '@parley/contracts'
import { newId } from '@parley/kit'
import { expect, it } from 'vitest'
import { describe as describeChat, findInSnapshot, paginate, selectShown } from './snapshot.ts'

const image = { fileId: 'f1', mimeType: 'image/png', width: 2, height: 2 }
const message = (content: string, parts: Partial<ChatSnapshot['messages'][number]> = {}) => ({
  ...{ id: newId(), role: 'user' as const, content, images: [], createdAt: '2026-01-01T10:00:00.000Z' },
  ...parts,
})
const chat = (...messages: ChatSnapshot['messages']): ChatSnapshot => ({
  title: 'To bob@x.example',
  model: 'v3',
  messages,
})

it('a snapshot has images only on request, and omits empty messages', () => {
  const given = chat(message('Draw'), message('', { role: 'assistant', images: [image] }))
  expect(selectShown(given, {}).messages.map(({ content }) => content)).toEqual(['Draw'])
  expect(selectShown(given, { includeImages: true }).messages[1]?.images).toEqual([image])
  expect(() => selectShown(chat(message('  ')), {})).toThrow('There’s nothing to share')
})

it('redacted texts are removed from the title, the messages, the findings and the description', async () => {
  const shown = selectShown(chat(message('# Hi *bob@x.example*\n and eve@x.example')), { redact: ['bob@x.example'] })
  expect(JSON.stringify([shown, describeChat(shown)])).not.toContain('bob')
  expect(await findInSnapshot(shown)).toEqual([
    { kind: 'email', text: 'eve@x.example', messageId: shown.messages[0]?.id },
  ])
  expect(await findInSnapshot(chat(message('x')))).toEqual([{ kind: 'email', text: 'bob@x.example', messageId: null }])
})

it('a snapshot whose redacted text or title is longer than a link may have is refused or cut', () => {
  const long = chat(message('a'.repeat(300_000)), message('a'.repeat(300_000)))
  expect(() => selectShown(long, { redact: ['a'] })).toThrow('This is too much text for one link.')
  expect(selectShown(long, { redact: ['aa'] }).messages).toHaveLength(2)
  expect(selectShown({ ...chat(message('x')), title: 'a b '.repeat(50) }, { redact: ['a'] }).title).toHaveLength(200)
})

it('private data is found behind many messages that repeat what was found before, each text once', async () => {
  const many = Array.from({ length: 600 }, () => message('Write to me@x.example'))
  const last = message('password: hunter2-again, bob@x.example')
  expect(await findInSnapshot(chat(...many, last))).toEqual([
    { kind: 'email', text: 'bob@x.example', messageId: last.id },
    { kind: 'email', text: 'me@x.example', messageId: many[0]?.id },
    { kind: 'secret', text: 'hunter2-again', messageId: last.id },
  ])
})

it('a snapshot with more private data than a link can redact is refused', async () => {
  const mails = (count: number) => message(Array.from({ length: count }, (_none, nth) => `m${nth}@x.example`).join(' '))
  expect(await findInSnapshot({ ...chat(mails(maxRedacted)), title: 'Mails' })).toHaveLength(maxRedacted)
  await expect(findInSnapshot({ ...chat(mails(maxRedacted + 1)), title: 'Mails' })).rejects.toMatchObject({
    code: 'payload_too_large',
  })
})

it.each([
  ['Write to bob@x.exa…', 'Write to █████…'],
  ['Write to bob...', 'Write to █████...'],
  ['Write to bo…', 'Write to bo…'],
  ['Write to bob@x.example and eve…', 'Write to █████ and eve…'],
  ['Write to bob@x.example', 'Write to █████'],
  ['About bob', 'About bob'],
])('the title %s, cut within a redacted text, does not show its beginning', (title, shown) => {
  const given = { ...chat(message('Write to bob@x.example')), title }
  expect(selectShown(given, { redact: ['bob@x.example'] }).title).toBe(shown)
})

it.each([
  ['Call +49 170 1234567 now', 'Call █████ now'],
  ['Call +49 170 12…', 'Call █████…'],
])('the title %s, which has the white space of a redacted text in its own form, does not show it', (title, shown) => {
  const phone = '+49\u00a0170\n1234567'
  const given = { ...chat(message(`Call ${phone} now`)), title }
  expect(selectShown(given, { redact: [phone] }).title).toBe(shown)
})

it('a long chat is split into pages of 50 messages or 256 K characters, in order and without loss', () => {
  const many = chat(...Array.from({ length: 120 }, (_none, nth) => message(String(nth))))
  const pages = paginate(many, newId)
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 20])
  expect(pages.flat().map(({ content }) => content)).toEqual(many.messages.map(({ content }) => content))
  const long = chat(message('a'.repeat(200_000)), message('b'.repeat(200_000)), message('c', { images: [image] }))
  const parts = paginate(long, newId)
  expect(parts.map(({ length }) => length)).toEqual([1, 2])
  expect(parts[1]?.[1]?.images[0]?.id).toMatch(/^1_[0-9a-f]{32}$/)
})

it('a description is the beginning of the text on one line, without Markdown syntax', () => {
  expect(describeChat(chat(message('# Hello\n\n**you** `there`')))).toBe('Hello you there')
  expect(describeChat(chat(message(`${'word '.repeat(100)}`))).length).toBeLessThanOrEqual(200)
  expect(describeChat(chat(message(`Table${'|'.repeat(794)}😀`)))).toBe('Table\uFFFD')
})
