import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { describe, expect, it } from 'vitest'
import { chooseLocale, directionOf } from './locale.ts'

const folder = new URL('../../locales/', import.meta.url)
const catalogs = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .map((path) => ({ path, url: new URL(path, folder) }))

describe('the choice of a language', () => {
  it('uses an offered language, or else English', () => {
    expect(chooseLocale(null, ['en-GB'])).toBe('en')
    expect(chooseLocale('en', ['fr'])).toBe('en')
    expect(chooseLocale('xx', ['yy-ZZ', ''])).toBe('en')
    expect(chooseLocale('constructor', [])).toBe('en')
  })

  it('sets the direction of Arabic from right to left', () => {
    expect(directionOf('ar')).toBe('rtl')
    expect(directionOf('en')).toBe('ltr')
  })
})

describe.each(catalogs)('$path', ({ path, url }) => {
  const messages = Object.entries(JSON.parse(readFileSync(url, 'utf8')) as Record<string, string>)

  it('has ids that begin with the name of its area, and valid messages', () => {
    for (const [id, message] of messages) {
      expect(id.split('.')[0]).toBe(basename(path, '.json'))
      expect(() => compileMessageOrThrow(message), id).not.toThrow()
    }
  })
})
