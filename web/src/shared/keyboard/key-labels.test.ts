import { expect, it } from 'vitest'
import { ariaKeys, keyLabels } from './key-labels.ts'

it('key labels follow the platform', () => {
  const newChat = { key: 'KeyO', mod: true, shift: true } as const
  expect(keyLabels(newChat, 'MacIntel', 'en')).toEqual(['⇧', '⌘', 'O'])
  expect(keyLabels(newChat, 'Linux x86_64', 'en')).toEqual(['Ctrl', 'Shift', 'O'])
})

it('key labels name keys and characters, without a Shift that depends on the layout', () => {
  expect(keyLabels({ key: 'Escape', shift: true }, 'Win32', 'en')).toEqual(['Shift', 'Esc'])
  expect(keyLabels({ key: '/', mod: true, shift: 'any' }, 'Win32', 'en')).toEqual(['Ctrl', '/'])
  expect(keyLabels({ key: 'Semicolon', mod: true }, 'iPad', 'en')).toEqual(['⌘', ';'])
  expect(keyLabels({ key: 'Backspace', mod: true }, 'iPad', 'en')).toEqual(['⌘', '⌫'])
  expect(keyLabels({ key: 'Backspace', mod: true }, 'Win32', 'en')).toEqual(['Ctrl', 'Backspace'])
})

it('key labels show the character of a custom key', () => {
  expect(keyLabels({ key: 'KeyQ', sign: 'A', mod: true, alt: true }, 'Win32', 'en')).toEqual(['Ctrl', 'Alt', 'A'])
})

it('key labels are those of the language’s keyboards, except for the symbols of a Mac', () => {
  const palette = { key: 'Escape', mod: true, shift: true } as const
  expect(keyLabels(palette, 'Win32', 'de')).toEqual(['Strg', 'Umschalt', 'Esc'])
  expect(keyLabels(palette, 'Win32', 'fr')).toEqual(['Ctrl', 'Maj', 'Échap'])
  expect(keyLabels(palette, 'Win32', 'ja')).toEqual(['Ctrl', 'Shift', 'Esc'])
  expect(keyLabels(palette, 'MacIntel', 'de')).toEqual(['⇧', '⌘', 'Esc'])
})

it('keys have the names that assistive technology expects', () => {
  expect(ariaKeys({ key: 'KeyO', mod: true, shift: true }, 'Linux x86_64')).toBe('Control+Shift+O')
  expect(ariaKeys({ key: 'KeyO', mod: true, shift: true }, 'MacIntel')).toBe('Meta+Shift+O')
  expect(ariaKeys({ key: 'Escape' }, 'MacIntel')).toBe('Escape')
  expect(ariaKeys({ key: 'KeyQ', sign: 'A', alt: true }, 'Win32')).toBe('Alt+A')
})
