import { expect, it } from 'vitest'
import { keysOf } from './shortcut-keys.ts'
import { defaultKeys, isComposing, shortcutOf } from './shortcuts.ts'

const shortcut = (fields: Parameters<typeof press>[0], keys = defaultKeys as Parameters<typeof shortcutOf>[1]) =>
  shortcutOf(press(fields), keys)

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
  expect(shortcut({ code: 'KeyO', ctrlKey: true, shiftKey: true })).toBe('newChat')
  expect(shortcut({ code: 'KeyO', metaKey: true, shiftKey: true })).toBe('newChat')
})

it('Escape and Shift+Escape are different shortcuts', () => {
  expect(shortcut({ key: 'Escape' })).toBe('stop')
  expect(shortcut({ key: 'Escape', shiftKey: true })).toBe('focusComposer')
})

it('the key of the sheet may be a shifted one', () => {
  expect(shortcut({ key: '/', ctrlKey: true })).toBe('sheet')
  expect(shortcut({ key: '/', ctrlKey: true, shiftKey: true })).toBe('sheet')
})

it('other keys and text composition do not trigger shortcuts', () => {
  expect(shortcut({ code: 'KeyO', ctrlKey: true })).toBeNull()
  expect(shortcut({ code: 'KeyO', ctrlKey: true, shiftKey: true, altKey: true })).toBeNull()
  expect(shortcut({ key: 'Escape', isComposing: true })).toBeNull()
})

it.each([
  ['composes characters', { isComposing: true, keyCode: 65 }, true],
  ['ends a composition in Safari', { isComposing: false, keyCode: 229 }, true],
  ['is Enter alone', { isComposing: false, keyCode: 13 }, false],
])('a key press that %s is recognised', (_, pressed, expected) => {
  expect(isComposing(pressed)).toBe(expected)
})

it('custom keys replace the default ones, also with Alt', () => {
  const keys = { ...defaultKeys, newChat: { key: 'F8', alt: true } }
  expect(shortcut({ code: 'F8', key: 'F8', altKey: true }, keys)).toBe('newChat')
  expect(shortcut({ code: 'F8', key: 'F8' }, keys)).toBeNull()
  expect(shortcut({ code: 'KeyO', ctrlKey: true, shiftKey: true }, keys)).toBeNull()
})

it('stored keys are used except for invalid ones', () => {
  const newChat = { key: 'KeyJ', sign: 'J', mod: true }
  expect(keysOf({ newChat, palette: 'KeyX', sheet: { key: 4 }, gone: newChat })).toEqual({ ...defaultKeys, newChat })
  for (const broken of [null, 'x', 4, []]) expect(keysOf(broken)).toEqual(defaultKeys)
})
