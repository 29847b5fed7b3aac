import { expect, it } from 'vitest'
import { waitsSilently } from './waits-silently.ts'

it('an answer without visible text shows a progress indicator', () => {
  expect(waitsSilently({ phase: 'waiting', content: '' }, true)).toBe(true)
  expect(waitsSilently({ phase: 'thinking', content: '' }, true)).toBe(false)
  expect(waitsSilently({ phase: 'thinking', content: '' }, false)).toBe(true)
  expect(waitsSilently({ phase: 'writing', content: 'Because' }, false)).toBe(false)
})
