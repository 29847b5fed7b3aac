import { expect, it } from 'vitest'
import { createPromptStore, recall } from './earlier-prompts.ts'

const up = { key: 'ArrowUp', shiftKey: false }
const down = { key: 'ArrowDown', shiftKey: false }
const prompts = ['newest', 'older', 'oldest']

it.each<[what: string, text: string, key: typeof up, recalled: string | null]>([
  ['up in an empty field', '', up, 'newest'],
  ['up on a recalled prompt', 'newest', up, 'older'],
  ['up on the oldest prompt', 'oldest', up, null],
  ['down on a recalled prompt', 'older', down, 'newest'],
  ['down on the newest prompt', 'newest', down, ''],
  ['down in an empty field', '', down, null],
  ['up in a text of one\u2019s own', 'mine', up, null],
  ['up with Shift, which selects', '', { ...up, shiftKey: true }, null],
  ['another key', '', { ...up, key: 'a' }, null],
])('the arrow %s recalls the adjacent prompt, or nothing', (_what, text, key, recalled) => {
  expect(recall(() => prompts, text, key)).toBe(recalled)
})

it('a key that recalls nothing does not read the storage', () => {
  const read = () => expect.fail('The prompts were read')
  expect(recall(read, 'mine', { key: 'a', shiftKey: false })).toBeNull()
})

it('prompts are stored once, newest first, and damaged storage is ignored', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  const store = createPromptStore(() => storage, 'prompts')
  for (const prompt of ['one', 'two', 'one', 'x'.repeat(5_000)]) store.add(prompt)
  expect(createPromptStore(() => storage, 'prompts').read()).toEqual(['one', 'two'])
  kept.set('prompts', '{"broken')
  expect(store.read()).toEqual([])
})
