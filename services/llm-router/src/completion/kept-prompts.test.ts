import type { PromptMessage } from '@parley/contracts'
import { expect, it } from 'vitest'
import { createKeptPrompts } from './kept-prompts.ts'

const user = (content: string): PromptMessage => ({ role: 'user', content })
const body = (generationId: string, messages: PromptMessage[], after?: number) => ({ generationId, messages, after })
const limits = { characters: 10, ms: 1_000 }

it('a kept prompt is prepended to the messages that continue it, for its own generation and once', () => {
  const prompts = createKeptPrompts(limits)
  expect(prompts.keep('g', [user('one'), user('two')])).toBe(true)
  expect(() => prompts.whole(body('other', [user('three')], 2))).toThrow('Please send the whole prompt')
  expect(prompts.whole(body('g', [user('three')], 2))).toEqual([user('one'), user('two'), user('three')])
  expect(() => prompts.whole(body('g', [user('three')], 2))).toThrow('Please send the whole prompt')
})

it('a complete prompt is used unchanged, and drops the kept one', () => {
  const prompts = createKeptPrompts(limits)
  prompts.keep('g', [user('one')])
  expect(prompts.whole(body('g', [user('new')]))).toEqual([user('new')])
  expect(() => prompts.whole(body('g', [user('two')], 1))).toThrow('Please send the whole prompt')
})

it('prompts over the limit evict the oldest, and one that is too large is not kept', () => {
  const prompts = createKeptPrompts(limits)
  expect(prompts.keep('large', [user('eleven char')])).toBe(false)
  expect(prompts.keep('first', [user('12345')])).toBe(true)
  const file = { type: 'image', mimeType: 'image/png', data: '123456', detail: 'low' } as const
  expect(prompts.keep('second', [{ role: 'user', content: [file] }])).toBe(true)
  expect(() => prompts.whole(body('first', [user('x')], 1))).toThrow('Please send the whole prompt')
  expect(prompts.whole(body('second', [user('x')], 1))).toHaveLength(2)
  expect(prompts.keep('third', [user('1234567890')])).toBe(true)
  expect(prompts.whole(body('third', [user('x')], 1))).toHaveLength(2)
})

it('a kept prompt expires', () => {
  let now = 0
  const prompts = createKeptPrompts(limits, () => now)
  prompts.keep('g', [user('one')])
  now = 1_000
  expect(() => prompts.whole(body('g', [user('two')], 1))).toThrow('Please send the whole prompt')
})
