import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { locales } from '@parley/contracts/constants'
import { expect, it } from 'vitest'
import { chooseLocale, directionOf } from '../i18n/locale.ts'

const scripts = ['theme.js', 'first-paint.js'].map((name) =>
  readFileSync(new URL(`../../../public/${name}`, import.meta.url), 'utf8'),
)
const formTexts = Object.fromEntries(locales.map((locale) => [locale, ['{email} & <b>{email}</b>!', `chat ${locale}`]]))
const greetings = Object.fromEntries(locales.map((locale) => [locale, [`plain ${locale}`, `{name} ${locale}`]]))

interface Visit {
  readonly stored?: Readonly<Record<string, string>>
  readonly languages?: readonly string[]
  readonly path?: string
  readonly search?: string
  /** What the tab has stored. */
  readonly tab?: Readonly<Record<string, string>>
}

const place = (dataset: Readonly<Record<string, string>> = {}) => ({
  dataset,
  textContent: '',
  className: '',
  replaceChildren(...nodes: readonly (string | { readonly textContent: string })[]) {
    this.textContent = nodes.map((node) => (typeof node === 'string' ? node : `[${node.textContent}]`)).join('')
  },
})

/** What the scripts make of a page before anything else runs. */
function draw({ stored = {}, languages = ['en-US'], path = '/', search = '', tab = {} }: Visit) {
  const root = { lang: 'en', dir: '', dataset: {} as Record<string, string> }
  const greeting = place()
  const lead = place({ text: '0', textChat: '1' })
  const storageOf = (texts: Readonly<Record<string, string>>) => ({ getItem: (key: string) => texts[key] ?? null })
  const card = { hidden: true, querySelectorAll: () => [lead] }
  let form = ''
  runInNewContext(scripts.join(''), {
    document: {
      documentElement: root,
      currentScript: {
        dataset: {
          ...{ locales: locales.join(' '), greetings: JSON.stringify(greetings), texts: JSON.stringify(formTexts) },
        },
      },
      createElement: () => place(),
      getElementById: () => root,
      querySelector: (selector: string) => {
        if (selector === '.first-greeting:empty') return greeting
        form = selector
        return card
      },
    },
    localStorage: storageOf(stored),
    sessionStorage: storageOf(tab),
    navigator: { languages },
    location: { pathname: path, search },
    URLSearchParams,
    matchMedia: () => ({ matches: true }),
    requestAnimationFrame: () => undefined,
    MutationObserver: class {
      private readonly act
      constructor(act: (list: never[], observer: { disconnect(): void }) => void) {
        this.act = act
      }
      observe() {
        this.act([], { disconnect: () => undefined })
      }
      disconnect() {}
    },
  })
  return { ...root, greeting: greeting.textContent, form: card.hidden ? null : form, lead: lead.textContent }
}

it.each<Required<Pick<Visit, 'stored' | 'languages'>>>([
  { stored: {}, languages: ['pt-BR', 'de-AT', 'en'] },
  { stored: { 'app-locale': 'ar' }, languages: ['fr'] },
  { stored: { 'app-locale': 'tlh' }, languages: ['ja'] },
  { stored: {}, languages: ['tlh'] },
])('the page starts in the language that the application will choose: $stored of $languages', (visit) => {
  const locale = chooseLocale(visit.stored['app-locale'] ?? null, visit.languages)
  expect(draw(visit)).toMatchObject({ lang: locale, dir: directionOf(locale), greeting: `plain ${locale}` })
})

it('the page greets a signed-in user by name, and shows the frame of a chat only where there will be one', () => {
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
  expect(draw({ path: '/login' }).dataset.firstPaint).toBe('form')
  expect(draw({ path: '/profile' }).dataset.firstPaint).toBeUndefined()
})

it.each<Visit & { readonly form: string }>([
  { path: '/login', form: 'login' },
  { path: '/register', form: 'register' },
  { path: '/login', tab: { 'private:verification': '{}' }, form: 'verify' },
  { path: '/password-reset', form: 'reset' },
  { path: '/password-reset', search: '?token=a&email=b', form: 'new-password' },
])('the page shows the form that $path$search will start with: $form', ({ form, ...visit }) => {
  expect(draw(visit).form).toBe(`[data-form="${form}"]`)
})

it.each<Visit>([
  { path: '/login', stored: { token: 'a.b.c' } },
  { path: '/password-reset', search: '?email=b' },
  { path: '/auth/callback' },
])('the page shows no form where the application shows none at first: $path$search', (visit) => {
  const { form, dataset } = draw(visit)
  expect([form, dataset.firstPaint]).toEqual([null, undefined])
})

it('the form shows whose password is changed as plain text, and that a guest chat is kept', () => {
  const search = `?token=a&email=${encodeURIComponent('<i>$&')}`
  expect(draw({ path: '/password-reset', search }).lead).toBe('<i>$& & [<i>$&]!')
  expect(draw({ path: '/login', tab: { 'private:guest-thread': '{}' } }).lead).toBe('chat en')
})
