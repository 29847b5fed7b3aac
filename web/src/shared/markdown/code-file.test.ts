import { expect, it } from 'vitest'
import { codeFileName } from './code-file.ts'

it.each([
  ['Python', 'code.py'],
  ['sql', 'code.sql'],
  ['c++', 'code.c'],
  ['', 'code.txt'],
  ['an-invented-language', 'code.txt'],
  ['../../etc', 'code.etc'],
])('code in the language “%s” is saved as %s', (language, name) => {
  expect(codeFileName(language)).toBe(name)
})
