import { readdirSync, readFileSync } from 'node:fs'
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { describe, expect, it } from 'vitest'
import { offeredLocales } from './locale.ts'

const folder = new URL('../../locales/', import.meta.url)
const filesOf = (locale: string): string[] =>
  readdirSync(new URL(`${locale}/`, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()
const read = (locale: string, file: string): [id: string, message: string][] =>
  Object.entries(JSON.parse(readFileSync(new URL(`${locale}/${file}`, folder), 'utf8')) as Record<string, string>)

interface Parts {
  readonly values: Set<string>
  readonly tags: Set<string>
  /** The categories of each plural. */
  readonly plurals: string[][]
}

/** The parts of a message apart from its words. */
function partsOf(message: string): Parts {
  const parts: Parts = { values: new Set(), tags: new Set(), plurals: [] }
  const walk = (compiled: CompiledMessage): void => {
    for (const token of compiled) {
      if (typeof token === 'string') {
        for (const [, tag] of token.matchAll(/<\/?(\w+)\/?>/g)) parts.tags.add(String(tag))
        continue
      }
      const [name, kind, choices] = token
      // Some languages need no plural where English has one.
      const isCount = kind === undefined || kind === 'plural' || kind === 'number'
      if (name !== '#') parts.values.add(isCount ? name : `${name}, ${kind}`)
      if (choices === undefined || typeof choices === 'string') continue
      const { offset: _, ...texts } = choices as Record<string, CompiledMessage | string>
      if (kind === 'plural') parts.plurals.push(Object.keys(texts).filter((key) => !/^\d/.test(key)))
      for (const text of Object.values(texts)) walk(typeof text === 'string' ? [text] : text)
    }
  }
  const compiled = compileMessageOrThrow(message)
  walk(typeof compiled === 'string' ? [compiled] : compiled)
  return parts
}

const english = filesOf('en')

/** A number or value and its unit, or the thousands of a number, with an ordinary space between them. */
const breakable = String.raw`[\d}] (?:\d{3}\b|(?:k|M)?[Bo]\b|(?:m|k)?s\b|min\b|%)`

/**
 * What a language's typography forbids: a space that a line can break at before a unit and, in French, beside punctuation; in Chinese, half-width
 * punctuation and a space between characters, also after a date, which ends in 日; in Japanese, a space beside Latin letters and values.
 */
const forbidden: Readonly<Record<string, RegExp>> = {
  de: new RegExp(breakable),
  es: new RegExp(`${breakable}|[«»]`),
  fr: new RegExp(`${breakable}| [:;?!»]|« `),
  zh: /[\u4e00-\u9fff][,;:?!]|[,;:?!][\u4e00-\u9fff]|(?:[\u4e00-\u9fff]|\{date\}) [\u4e00-\u9fff]/,
  ja: /[\u3040-\u30ff\u4e00-\u9fff、。] [a-z0-9{]|[a-z0-9}] [\u3040-\u30ff\u4e00-\u9fff]/i,
}

describe.each(offeredLocales)('the catalog %s', (locale) => {
  it('has exactly the files and ids of English', () => {
    expect(filesOf(locale)).toEqual(english)
    const ids = (of: string) => english.flatMap((file) => read(of, file).map(([id]) => `${file} ${id}`)).sort()
    expect(ids(locale)).toEqual(ids('en'))
  })

  it('has no empty message where English has one', () => {
    const empty = english.flatMap((file) => read(locale, file).filter(([, message]) => message.trim() === ''))
    expect(empty).toEqual([])
  })

  it('has the same values and tags as English in each message', () => {
    for (const file of english) {
      const source = new Map(read('en', file))
      for (const [id, message] of read(locale, file)) {
        const { values, tags } = partsOf(message)
        const wanted = partsOf(source.get(id) ?? '')
        expect({ id, values, tags }).toEqual({ id, values: wanted.values, tags: wanted.tags })
      }
    }
  })

  it('has exactly its plural categories in every plural', () => {
    const all = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted().join()
    for (const file of english) {
      const source = new Map(read('en', file))
      for (const [id, message] of read(locale, file)) {
        // If English distinguishes only exact numbers, other languages need no more.
        const allowed = partsOf(source.get(id) ?? '').plurals.some(
          ([one, ...more]) => one === 'other' && more.length === 0,
        )
          ? [all, 'other']
          : [all]
        for (const categories of partsOf(message).plurals) {
          expect(allowed, id).toContain(categories.toSorted().join())
        }
      }
    }
  })

  it('follows the typography of its language', () => {
    const pattern = forbidden[locale]
    const faulty = english.flatMap((file) => read(locale, file).filter(([, message]) => pattern?.test(message)))
    expect(faulty).toEqual([])
  })
})
