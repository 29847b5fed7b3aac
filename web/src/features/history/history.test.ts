import type { ChatSummary } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { chatOrder, groupChats } from './group-chats.ts'
import { emptySelection, inPortions, keepListed, neighbourOf, toggleChat } from './selection.ts'

const now = new Date(2026, 2, 10, 0, 30)
const chat = (id: string, at: Date, pinned = false): ChatSummary => ({
  _id: id,
  title: id,
  modelUsed: 'v3',
  createdAt: at.toISOString(),
  updatedAt: at.toISOString(),
  messageCount: 2,
  pinned,
})
const keys = (chats: ChatSummary[]) => groupChats(chats, now).map((row) => row.key)

describe('the groups of the chat list', () => {
  it('are formed by local days, not by hours', () => {
    expect(
      keys([
        chat('this-day', new Date(2026, 2, 10, 0, 0)),
        chat('minutes-before-midnight', new Date(2026, 2, 9, 23, 59)),
        chat('two-days', new Date(2026, 2, 8, 12)),
        chat('seven-days', new Date(2026, 2, 3, 0, 0)),
        chat('eight-days', new Date(2026, 2, 2, 23, 59)),
        chat('january', new Date(2026, 0, 5)),
        chat('also-january', new Date(2026, 0, 2)),
        chat('a-year-before', new Date(2025, 0, 5)),
      ]),
    ).toEqual([
      'group:today',
      'this-day',
      'group:yesterday',
      'minutes-before-midnight',
      'group:week',
      'two-days',
      'seven-days',
      'group:month',
      'eight-days',
      'month:2026-0',
      'january',
      'also-january',
      'month:2025-0',
      'a-year-before',
    ])
  })

  it('list pinned chats first whatever their age, newest first in each group', () => {
    const old = chat('old', new Date(2020, 0, 1), true)
    expect(keys([old, chat('b', new Date(2026, 2, 9, 1)), chat('a', new Date(2026, 2, 9, 2))])).toEqual([
      'group:pinned',
      'old',
      'group:yesterday',
      'a',
      'b',
    ])
  })

  it('count a time in the future as today', () => {
    expect(keys([chat('ahead', new Date(2026, 2, 12))])).toEqual(['group:today', 'ahead'])
    expect(keys([])).toEqual([])
  })

  it('determine the order of the chats', () => {
    const rows = groupChats([chat('a', now), chat('p', now, true)], now)
    expect(chatOrder(rows)).toEqual(['p', 'a'])
  })
})

describe('selection', () => {
  const order = ['a', 'b', 'c', 'd', 'e']
  const ids = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].sort().join('')

  it('extends and shrinks ranges with Shift in both directions', () => {
    const first = toggleChat(emptySelection, order, 'd', false)
    const range = toggleChat(first, order, 'b', true)
    expect(ids(range)).toBe('bcd')
    expect(ids(toggleChat(range, order, 'c', true))).toBe('d')
    expect(ids(toggleChat(range, order, 'c', false))).toBe('bd')
  })

  it('selects one chat if there is no anchor', () => {
    expect(ids(toggleChat(emptySelection, order, 'c', true))).toBe('c')
    expect(ids(toggleChat({ ids: new Set(['x']), anchor: 'x' }, order, 'c', true))).toBe('cx')
  })

  it('drops chats that are gone', () => {
    expect(ids(keepListed({ ids: new Set(['a', 'x']), anchor: 'x' }, order))).toBe('a')
    const kept = { ids: new Set(['a']), anchor: 'a' }
    expect(keepListed(kept, order)).toBe(kept)
  })

  it('moves the focus to the next chat, or else to the previous one', () => {
    expect(neighbourOf(order, 'b')).toBe('c')
    expect(neighbourOf(order, 'e')).toBe('d')
    expect(neighbourOf(['a'], 'a')).toBeNull()
  })

  it('is split into the batches that calls accept', () => {
    expect(inPortions(order, 2)).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    expect(inPortions([], 2)).toEqual([])
  })
})
