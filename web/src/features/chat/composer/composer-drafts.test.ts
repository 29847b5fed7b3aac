import type { Attachment } from '@parley/contracts'
import { expect, it } from 'vitest'
import { createComposerDrafts, withQuotation } from './composer-drafts.ts'

const file: Attachment = {
  id: 'f1',
  type: 'file',
  url: '/api/chat/files/f1',
  name: 'plan.pdf',
  mimeType: 'application/pdf',
  size: 9,
  detail: 'high',
}

/** Storage whose drafts are read anew, as after a reload. */
function givenStorage() {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  return () => createComposerDrafts(() => storage, 'p:')
}

it('an unsent message is the draft of its chat after a reload, with its files and modes', () => {
  const open = givenStorage()
  open().giveBack('c1', { text: 'From a tunnel', attachments: [file], modes: ['study'] })
  const { texts, extras } = open()
  expect(texts.read('c1')).toBe('From a tunnel')
  expect(extras.read('c1')).toMatchObject({ attachments: [{ id: 'f1' }], modes: ['study'] })
  expect(texts.read('new')).toBe('')
})

it('an unsent message is put before the text written since, also in a new chat', () => {
  const open = givenStorage()
  open().texts.write('new', 'And then')
  open().extras.change('new', (now) => ({ ...now, attachments: [file] }))
  open().giveBack(null, { text: 'First', attachments: [{ ...file, id: 'f0' }], modes: [] })
  expect(open().texts.read('new')).toBe('First\n\nAnd then')
  expect(open().extras.read('new').attachments).toMatchObject([{ id: 'f0' }, { id: 'f1' }])
})

it('the draft of a deleted chat is put before that of the new chat, and is stored there only', () => {
  const open = givenStorage()
  const drafts = open()
  drafts.rescue('empty')
  drafts.texts.write('new', 'And then')
  drafts.texts.write('c1', 'Half a question')
  drafts.extras.change('c1', (now) => ({ ...now, attachments: [file], pasted: ['a\nb'], modes: ['study'] }))
  drafts.uploads.add('c1', new File(['x'], 'late.pdf'))
  drafts.rescue('c1')
  expect(drafts.uploads.store.getState().uploads).toMatchObject([{ chat: 'new' }])
  const { texts, extras } = open()
  expect([texts.read('c1'), texts.read('new')]).toEqual(['', 'Half a question\n\nAnd then'])
  expect(extras.read('new')).toMatchObject({ attachments: [{ id: 'f1' }], pasted: ['a\nb'], modes: [] })
  expect(extras.read('c1')).toMatchObject({ attachments: [], pasted: [] })
})

it('what was added meanwhile to a new chat goes to the chat that it became, and the next new one is empty', () => {
  const open = givenStorage()
  const drafts = open()
  drafts.texts.write('new', 'And')
  drafts.extras.change('new', (now) => ({ ...now, attachments: [file], modes: ['study'] }))
  drafts.uploads.add('new', new File(['x'], 'late.pdf'))
  drafts.adopt('c1')
  expect(drafts.uploads.store.getState().uploads).toMatchObject([{ chat: 'c1' }])
  const { texts, extras } = open()
  expect([texts.read('c1'), texts.read('new')]).toEqual(['And', ''])
  expect(extras.read('c1')).toMatchObject({ attachments: [{ id: 'f1' }], modes: ['study'] })
  expect(extras.read('new')).toMatchObject({ attachments: [], modes: [] })
})

it('a quotation follows what is written, each of its lines marked', () => {
  expect(withQuotation('First. \n', 'one\n\ntwo')).toBe('First.\n\n> one\n> \n> two\n\n')
  expect(withQuotation(' ', 'one')).toBe('> one\n\n')
})
