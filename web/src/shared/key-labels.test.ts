import { expect, it } from 'vitest'
import { keyLabels } from './key-labels.ts'

it('writes keys as the platform does', () => {
  const newChat = { key: 'KeyO', mod: true, shift: true } as const
  expect(keyLabels(newChat, 'MacIntel')).toEqual(['⇧', '⌘', 'O'])
  expect(keyLabels(newChat, 'Linux x86_64')).toEqual(['Ctrl', 'Shift', 'O'])
})

it('writes named keys and signs, and no Shift that only some layouts need', () => {
  expect(keyLabels({ key: 'Escape', shift: true }, 'Win32')).toEqual(['Shift', 'Esc'])
  expect(keyLabels({ key: '/', mod: true, shift: 'any' }, 'Win32')).toEqual(['Ctrl', '/'])
  expect(keyLabels({ key: 'Semicolon', mod: true }, 'iPad')).toEqual(['⌘', ';'])
})
