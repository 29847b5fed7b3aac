import { expect, it } from 'vitest'
import { waitsSilently } from './waits-silently.ts'

it('an answer of which nothing is to be seen shows that it is being made', () => {
  expect(waitsSilently({ phase: 'waiting', content: '' }, true)).toBe(true)
  expect(waitsSilently({ phase: 'thinking', content: '' }, true)).toBe(false)
  expect(waitsSilently({ phase: 'thinking', content: '' }, false)).toBe(true)
  expect(waitsSilently({ phase: 'writing', content: 'Because' }, false)).toBe(false)
})
