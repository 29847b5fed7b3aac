import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { locales } from '@parley/contracts/constants'
import { expect, it } from 'vitest'
import { chooseLocale, directionOf } from '../i18n/locale.ts'

const script = readFileSync(new URL('../../../public/theme.js', import.meta.url), 'utf8')
const greetings = Object.fromEntries(locales.map((locale) => [locale, [`plain ${locale}`, `{name} ${locale}`]]))

interface Visit {
  readonly stored?: Readonly<Record<string, string>>
  readonly languages?: readonly string[]
  readonly path?: string
}

/** What the script makes of a page before anything else has run. */
function draw({ stored = {}, languages = ['en-US'], path = '/' }: Visit) {
  const root = { lang: 'en', dir: '', dataset: {} as Record<string, string> }
  const greeting = { textContent: '' }
  const storage = { getItem: (key: string) => stored[key] ?? null }
  runInNewContext(script, {
    document: {
      documentElement: root,
      currentScript: { dataset: { greetings: JSON.stringify(greetings) } },
      querySelector: () => greeting,
    },
    localStorage: storage,
    sessionStorage: { getItem: () => null },
    navigator: { languages },
    location: { pathname: path },
    matchMedia: () => ({ matches: true }),
    MutationObserver: class {
      private readonly act
      constructor(act: (list: never[], observer: { disconnect(): void }) => void) {
        this.act = act
      }
      observe() {
        this.act([], { disconnect: () => undefined })
      }
    },
  })
  return { ...root, greeting: greeting.textContent }
}

it.each<Required<Pick<Visit, 'stored' | 'languages'>>>([
  { stored: {}, languages: ['pt-BR', 'de-AT', 'en'] },
  { stored: { 'app-locale': 'ar' }, languages: ['fr'] },
  { stored: { 'app-locale': 'tlh' }, languages: ['ja'] },
  { stored: {}, languages: ['tlh'] },
])('the page begins in the language that the application will choose: $stored of $languages', (visit) => {
  const locale = chooseLocale(visit.stored['app-locale'] ?? null, visit.languages)
  expect(draw(visit)).toMatchObject({ lang: locale, dir: directionOf(locale), greeting: `plain ${locale}` })
})

it('the page greets whoever is signed in by name, and shows the frame of a chat only where one will be', () => {
  const stored = {
    token: 'a.b.c',
    user: JSON.stringify({ username: 'ada', displayName: '$& Ada' }),
    sidebar: 'collapsed',
  }
  expect(draw({ stored })).toMatchObject({
    greeting: '$& Ada en',
    dataset: { firstPaint: 'greeting', firstSidebar: 'collapsed' },
  })
  expect(draw({ stored: { ...stored, user: '{' } }).greeting).toBe('plain en')
  expect(draw({ path: '/c/1' }).dataset.firstPaint).toBe('thread')
  expect(draw({ path: '/login' }).dataset.firstPaint).toBeUndefined()
})
