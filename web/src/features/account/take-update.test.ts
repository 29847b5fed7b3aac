import type { ChatSummary } from '@parley/contracts'
import { expect, it } from 'vitest'
import { takeUpdate } from './take-update.ts'

const chat: ChatSummary = {
  _id: 'c1',
  title: 'Tides',
  modelUsed: 'v3',
  createdAt: '2030-01-01T00:00:00Z',
  updatedAt: '2030-01-01T00:00:00Z',
  messageCount: 2,
  pinned: true,
}
const updatedAt = '2030-02-01T00:00:00Z'

it('an update of a listed chat changes its title and time only', () => {
  expect(takeUpdate([chat], { chatId: 'c1', title: 'Ebb', updatedAt }, true)).toEqual([
    { ...chat, title: 'Ebb', updatedAt },
  ])
  expect(takeUpdate([chat], { chatId: 'c1', updatedAt }, true)).toEqual([{ ...chat, updatedAt }])
})

it('a new chat is listed first, once', () => {
  const begun = { chatId: 'c2', title: 'Moon', updatedAt, clientMessageId: 'm1' }
  const listed = takeUpdate([chat], begun, true)
  expect(listed.map(({ _id, title }) => [_id, title])).toEqual([
    ['c2', 'Moon'],
    ['c1', 'Tides'],
  ])
  expect(takeUpdate(listed, begun, true)).toHaveLength(2)
  expect(takeUpdate([chat], begun, false)).toEqual([chat])
})

it('a chat that is neither listed nor new is not added without the server', () => {
  expect(takeUpdate([chat], { chatId: 'c9', title: 'Old', updatedAt }, true)).toEqual([chat])
})

it('a chat leaves its list when it is archived or restored from the archive', () => {
  const archived = { ...chat, archived: true as const }
  const into = { chatId: 'c1', title: 'Tides', updatedAt, archived: true as const }
  const out = { chatId: 'c1', title: 'Tides', updatedAt }
  expect(takeUpdate([chat], into, true)).toEqual([])
  expect(takeUpdate([archived], out, false)).toEqual([])
  expect(takeUpdate([archived], into, false)).toEqual([{ ...archived, updatedAt }])
})
