import { type MailKind, mailKinds } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { sampleFacts } from './samples.ts'
import { writeMail } from './write.ts'

const origin = 'https://chat.example.test'
const facts = sampleFacts(origin)
const write = <K extends MailKind>(kind: K, username = 'ann', locale: 'en' | 'ar' = 'en') =>
  writeMail(kind, { publicUrl: `${origin}/`, eventId: 'e1' }, { to: 'ann@example.test', username, locale }, facts[kind])

/** What is read of an HTML mail. */
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

describe.each(mailKinds)('the mail %s', (kind) => {
  it('says in HTML what it says as text', () => {
    const { text, html } = write(kind)
    const read = words(readOf(html))
    expect(words(text).filter((word) => !read.includes(word))).toEqual([])
    expect(`${text}${html}`).not.toMatch(/undefined|null|NaN|\[object|Invalid Date/)
  })

  it('loads nothing and links to nowhere but the product', () => {
    const { html } = write(kind)
    expect(html).not.toMatch(/<(img|link|script|iframe|object|form|video|base)\b|url\(|@import|@font-face|\bsrc=/i)
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link?.replaceAll('&amp;', '&') ?? '')
    for (const link of links) expect(new URL(link).origin).toBe(origin)
    expect(html.match(/https?:\/\/[^\s"<]+/g)?.every((address) => address.startsWith(origin))).toBe(true)
  })

  it('takes a name as a name', () => {
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

  it('is in English, and says so, where a language has no texts yet', () => {
    const mail = write(kind, 'ann', 'ar')
    expect(mail).toEqual(write(kind))
    expect(mail.html).toContain('<html lang="en" dir="ltr">')
  })
})

it('a month that is used up is called that', () => {
  const about = { ...facts['credit-warning'], usagePercentage: 130 }
  const frame = { publicUrl: origin, eventId: 'e1' }
  const { subject, text } = writeMail('credit-warning', frame, { to: 'a@b.test', username: 'ann', locale: 'en' }, about)
  expect(subject).toBe('You have used all of this month’s Parley credits')
  expect(text).not.toContain('130')
})
