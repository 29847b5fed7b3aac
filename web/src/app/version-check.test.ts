import { expect, it } from 'vitest'
import { isOtherVersion } from './version-check.ts'

const pageWith = (...scripts: string[]) =>
  scripts.map((script) => `<script type="module" crossorigin src="${script}"></script>`).join('\n')

it.each([
  ['the same scripts', pageWith('/assets/runtime-1.js', '/assets/app-1.js'), false],
  ['another script', pageWith('/assets/runtime-1.js', '/assets/app-2.js'), true],
  ['no script, as a proxy has it', '<h1>502 Bad Gateway</h1>', false],
  ['a script of another site', pageWith('https://portal.example/login.js'), false],
])('a page with %s', (_, page, expected) => {
  expect(isOtherVersion(page, ['/assets/runtime-1.js', '/assets/app-1.js'])).toBe(expected)
})
