import type { ChatInfo } from '@parley/contracts'
import { expect, it } from 'vitest'
import { averageOf, type Facts, mergeFacts, textOf } from './facts.ts'

const shown: Facts = {
  chatId: 'c',
  messages: { total: 4, user: 2, assistant: 2 },
  tokens: { input: 7, output: 3, total: 10 },
  tokensAccurate: true,
}

it('the averages of a chat cover all messages, or are absent without any', () => {
  expect(averageOf(shown)).toBe(2.5)
  expect(averageOf({ ...shown, messages: { total: 0, user: 0, assistant: 0 } })).toBe(0)
})

it('the server’s counts are used only for their own chat', () => {
  const counted = { ...shown, tokens: { input: 70, output: 30, total: 100 } } as ChatInfo
  expect(mergeFacts(shown, counted).tokens.total).toBe(100)
  expect(mergeFacts(shown, { ...counted, chatId: 'other' })).toBe(shown)
  expect(mergeFacts(shown, undefined)).toBe(shown)
})

it('the facts of a chat can be copied as text', () => {
  const sections = [
    { title: 'Statistics', lines: [{ label: 'Messages', value: '4' }] },
    { title: 'Tokens', lines: [{ label: 'Total', value: '10' }] },
  ]
  expect(textOf(sections, 'en')).toBe('Statistics\nMessages: 4\n\nTokens\nTotal: 10')
})
