import { readFileSync } from 'node:fs'
import { type Locale, locales, type MailKind, mailKinds } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { sampleFacts } from './samples.ts'
import { writeMail } from './write.ts'

const origin = 'https://chat.example.test'
const facts = sampleFacts(origin)
const write = <K extends MailKind>(kind: K, username = 'ann', locale: Locale = 'en') =>
  writeMail(kind, { publicUrl: `${origin}/`, eventId: 'e1' }, { to: 'ann@example.test', username, locale }, facts[kind])

/** The visible text of an HTML mail. */
const readOf = (html: string): string =>
  html
    .replace(/<style>.*?<\/style>|<title>.*?<\/title>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
const words = (text: string): string[] => text.split(/[\s:]+/).filter((word) => word !== '' && word !== '--')

it('the mail credit-warning says from 100 % on that all is used', () => {
  const subjectAt = (usagePercentage: number): string => {
    const warning = { ...facts['credit-warning'], usagePercentage }
    const to = { to: 'ann@example.test', username: 'ann', locale: 'en' as const }
    return writeMail('credit-warning', { publicUrl: origin, eventId: 'e1' }, to, warning).subject
  }
  expect(subjectAt(100)).toBe(subjectAt(120))
  expect(subjectAt(99)).toContain('99')
})

it('the first of a month is an ordinal in French', () => {
  expect(write('credit-warning', 'ann', 'fr').text).toContain('le 1er février 2030')
  expect(write('data-export', 'ann', 'fr').text).toContain('au 22 janvier 2030')
})

describe.each(mailKinds)('the mail %s', (kind) => {
  it('has the same content in HTML and text', () => {
    const { text, html } = write(kind)
    const read = words(readOf(html))
    expect(words(text).filter((word) => !read.includes(word))).toEqual([])
    expect(`${text}${html}`).not.toMatch(/undefined|null|NaN|\[object|Invalid Date/)
  })

  it('loads no resources and links only to the product', () => {
    const { html } = write(kind)
    expect(html).not.toMatch(/<(img|link|script|iframe|object|form|video|base)\b|url\(|@import|@font-face|\bsrc=/i)
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link?.replaceAll('&amp;', '&') ?? '')
    for (const link of links) expect(new URL(link).origin).toBe(origin)
    expect(html.match(/https?:\/\/[^\s"<]+/g)?.every((address) => address.startsWith(origin))).toBe(true)
  })

  it("treats a user's name as plain text", () => {
    const hostile = `<img src=x>&"'\r\nBcc: evil@evil.test\u2028${'x'.repeat(500)}`
    const { subject, text, html, to } = write(kind, hostile)
    const name = `<img src=x>&"' Bcc: evil@evil.test ${'x'.repeat(500)}`.slice(0, 100)
    expect(to.name).toBe(name)
    expect(text.split('\n')[0]).toBe(`Hello ${name},`)
    expect(html).not.toContain('<img')
    expect(readOf(html)).toContain(`Hello ${name},`)
    expect(subject).toBe(write(kind).subject)
    expect(subject).not.toMatch(/[\r\n]/)
  })

  it.each(locales.filter((locale) => locale !== 'en'))('is written in %s, and declares the language', (locale) => {
    const { subject, text, html } = write(kind, 'ann', locale)
    const english = write(kind)
    expect(subject).not.toBe(english.subject)
    // Only the name, the code, the links and the product's name may equal the English text.
    const lines = new Set(english.text.split('\n').filter((line) => !/^(--|\s*\d{6}$|https:|$)/.test(line)))
    expect(text.split('\n').filter((line) => lines.has(line))).toEqual([])
    expect(html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
    const read = words(readOf(html))
    expect(words(text).filter((word) => !read.includes(word))).toEqual([])
    expect(`${text}${html}`).not.toMatch(/undefined|null|NaN|\[object|Invalid Date|\{\w+\}/)
  })
})

it('the texts of mails have the same placeholders in every language', () => {
  const valuesOf = (locale: Locale) =>
    JSON.parse(readFileSync(new URL(`../locales/${locale}.json`, import.meta.url), 'utf8'), (_, text: unknown) =>
      typeof text === 'string' ? [...text.matchAll(/\{\w+\}/g)].map(String).sort() : text,
    )
  for (const locale of locales) expect(valuesOf(locale), locale).toEqual(valuesOf('en'))
})

it('a mail about exhausted monthly credits names the month', () => {
  const about = { ...facts['credit-warning'], usagePercentage: 130 }
  const frame = { publicUrl: origin, eventId: 'e1' }
  const { subject, text } = writeMail('credit-warning', frame, { to: 'a@b.test', username: 'ann', locale: 'en' }, about)
  expect(subject).toBe('You have used all of this month’s Parley credits')
  expect(text).not.toContain('130')
})
