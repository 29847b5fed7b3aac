import { expect, it } from 'vitest'
import { shortcutOf } from './shortcuts.ts'

const press = (fields: Partial<Parameters<typeof shortcutOf>[0]>) => ({
  code: '',
  key: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...fields,
})

it('knows a shortcut by Control and by Command', () => {
  expect(shortcutOf(press({ code: 'KeyO', ctrlKey: true, shiftKey: true }))).toBe('newChat')
  expect(shortcutOf(press({ code: 'KeyO', metaKey: true, shiftKey: true }))).toBe('newChat')
})

it('tells Escape from Shift+Escape', () => {
  expect(shortcutOf(press({ key: 'Escape' }))).toBe('stop')
  expect(shortcutOf(press({ key: 'Escape', shiftKey: true }))).toBe('focusComposer')
})

it('leaves other keys and text composition alone', () => {
  expect(shortcutOf(press({ code: 'KeyO', ctrlKey: true }))).toBeNull()
  expect(shortcutOf(press({ code: 'KeyO', ctrlKey: true, shiftKey: true, altKey: true }))).toBeNull()
  expect(shortcutOf(press({ key: 'Escape', isComposing: true }))).toBeNull()
})
