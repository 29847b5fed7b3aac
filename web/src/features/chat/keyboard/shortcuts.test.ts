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

it('a shortcut is recognised with Control and with Command', () => {
  expect(shortcutOf(press({ code: 'KeyO', ctrlKey: true, shiftKey: true }))).toBe('newChat')
  expect(shortcutOf(press({ code: 'KeyO', metaKey: true, shiftKey: true }))).toBe('newChat')
})

it('Escape and Shift+Escape are different shortcuts', () => {
  expect(shortcutOf(press({ key: 'Escape' }))).toBe('stop')
  expect(shortcutOf(press({ key: 'Escape', shiftKey: true }))).toBe('focusComposer')
})

it('other keys and text composition are no shortcuts', () => {
  expect(shortcutOf(press({ code: 'KeyO', ctrlKey: true }))).toBeNull()
  expect(shortcutOf(press({ code: 'KeyO', ctrlKey: true, shiftKey: true, altKey: true }))).toBeNull()
  expect(shortcutOf(press({ key: 'Escape', isComposing: true }))).toBeNull()
})
