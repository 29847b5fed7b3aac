import { expect, it } from 'vitest'
import { createDictationHistory } from './dictation-history.ts'

it('dictated phrases are undone and redone one by one', () => {
  const history = createDictationHistory()
  history.add({ from: '', to: 'One' })
  history.add({ from: 'One', to: 'One two' })
  expect(history.undo('One two')).toBe('One')
  expect(history.undo('One')).toBe('')
  expect(history.undo('')).toBeNull()
  expect(history.redo('')).toBe('One')
  expect(history.redo('One')).toBe('One two')
  expect(history.redo('One two')).toBeNull()
})

it('a dictated phrase can be neither undone nor redone after other edits', () => {
  const history = createDictationHistory()
  history.add({ from: '', to: 'One' })
  expect(history.undo('One!')).toBeNull()
  expect(history.undo('One')).toBe('')
  expect(history.redo('x')).toBeNull()
  history.add({ from: '', to: 'Two' })
  expect(history.redo('')).toBeNull()
})
