import { apiClient } from '@parley/testing'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { drawLocale, newVisitor, type Visitor } from '../src/browser.ts'
import { overflowingButtons } from '../src/overflow.ts'
import { adminPerson, codeFor, composer, enter, password, registerPerson } from '../src/people.ts'
import { mailTo } from '../src/settings.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'

/** A marker that a reload would remove. */
declare const window: { untouched?: boolean }
declare const getComputedStyle: (element: unknown) => { readonly direction: string }

describe('the languages of the interface', () => {
  let on: SharedSystem
  let visitor: Visitor
  let page: Page

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: true })
  })
  beforeEach(async () => {
    visitor = await newVisitor(on.browser, on.system.url, { size: 'desktop' })
    page = visitor.page
  })
  afterEach(({ task }) => endVisit(visitor, task))

  const language = () => page.locator('html').getAttribute('lang')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const mark = () =>
    page.evaluate(() => {
      window.untouched = true
    })
  const isUntouched = () => page.evaluate(() => window.untouched === true)

  async function registerInGerman(username: string): Promise<void> {
    await page.goto('/register')
    await mark()
    await page.getByLabel('Language').selectOption('de')
    await page.getByRole('heading', { name: 'Konto erstellen' }).waitFor()
    await page.getByLabel('Benutzername').fill(username)
    await page.getByLabel('E-Mail').fill(`${username}@parley.test`)
    await page.getByLabel('Passwort', { exact: true }).fill(password)
    await page.getByLabel('Passwort wiederholen').fill(password)
    await button('Konto erstellen').click()
    await page.getByLabel('Ziffer 1 von 6').click()
  }

  it('a language chosen at registration applies without a reload, to the mail and to every browser of the account', async () => {
    await registerInGerman('hedwig')
    const address = 'hedwig@parley.test'
    await mailTo(on.system, address, /Gib diesen Code ein, um deine E-Mail-Adresse zu bestätigen/)
    await page.keyboard.type(await codeFor(on.system, address))
    await page.getByRole('textbox', { name: 'Nachricht' }).waitFor()
    expect(await isUntouched()).toBe(true)
    const elsewhere = await newVisitor(on.browser, on.system.url)
    await elsewhere.page.goto('/login')
    await elsewhere.page.getByLabel('Username or email').fill('hedwig')
    await elsewhere.page.getByLabel('Password', { exact: true }).fill(password)
    await elsewhere.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await elsewhere.page.getByRole('textbox', { name: 'Nachricht' }).waitFor()
    await elsewhere.leave()
  })

  it('errors of a form follow a change of the language: of its fields, of the whole form, and of the server', async () => {
    const words = () => page.locator('form').innerText()
    await page.goto('/register')
    await page.getByLabel('Username').fill('a b')
    await page.getByLabel('Email').fill('nowhere')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password').fill('another')
    await button('Create account').click()
    await page.getByText('Only letters, digits, hyphens and underscores').waitFor()
    await page.getByText('Passwords must match').waitFor()
    await page.getByLabel('Language').selectOption('de')
    await expect.poll(words).toContain('Nur Buchstaben, Ziffern, Binde- und Unterstriche')
    expect(await words()).toContain('Bitte korrigiere die Fehler im Formular')
    expect(await words()).toContain('Die Passwörter müssen übereinstimmen')
    expect(await words()).not.toMatch(/Please|must/)
    await page.goto('/login')
    await page.getByLabel('Benutzername oder E-Mail').fill('nobody')
    await page.getByLabel('Passwort', { exact: true }).fill(password)
    await button('Anmelden').click()
    await expect.poll(words).toContain('Anmeldung fehlgeschlagen')
    await page.getByLabel('Sprache').selectOption('fr')
    await expect.poll(words).toContain('Échec de la connexion')
    expect(await words()).not.toContain('Anmeldung')
  })

  it('toasts and their buttons follow a change of the language', async () => {
    const person = await registerPerson(on.system, 'toaster')
    const api = apiClient(on.system.url).with({ authorization: `Bearer ${person.token}` })
    await api.post('/api/chat/history', { title: 'Going', model: 'v3' })
    await enter(page, person)
    const toast = page.locator('[data-sonner-toast]')
    await page.getByRole('link', { name: 'Going' }).hover()
    await page.getByRole('button', { name: 'Options for Going' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await toast.filter({ hasText: 'was deleted' }).waitFor()
    // It stays as long as the pointer is on it.
    await toast.hover()
    await drawLocale(page, 'de')
    await expect.poll(() => toast.innerText()).toMatch(/„Going“ wurde gelöscht\s*Rückgängig/)
    await button('Rückgängig').click()
    await page.getByRole('link', { name: 'Going' }).waitFor()
  })

  it('why a provider did not answer is said in the language of the interface, and follows its change', async () => {
    await enter(page, await registerPerson(on.system, 'refused'))
    const error = 'The AI provider couldn’t answer. Please try again.'
    await page.route('**/api/chat', (route) =>
      route.fulfill({ status: 502, json: { error, code: 'provider_error', requestId: 'r1' } }),
    )
    await composer(page).fill('Hello')
    await composer(page).press('Enter')
    const thread = page.getByRole('log')
    await thread.getByText(error).waitFor()
    await drawLocale(page, 'de')
    await thread.getByText('Der KI-Anbieter konnte nicht antworten. Versuche es erneut.').waitFor()
  })

  it('Arabic, chosen in the account menu, mirrors the chat at once, and stays after a reload', async () => {
    await enter(page, await registerPerson(on.system, 'layla'))
    const sidebarStart = async () => (await page.locator('aside').first().boundingBox())?.x
    await page.getByRole('link', { name: 'New chat' }).first().waitFor()
    expect(await sidebarStart()).toBe(0)
    await mark()
    await page.getByRole('button', { name: /layla/ }).click()
    await page.getByRole('menuitem', { name: 'Language' }).click()
    const names = await page.getByRole('menuitemradio').allTextContents()
    expect(names).toEqual(['English', 'Español', 'Français', 'Deutsch', '中文', '日本語', 'العربية'])
    await page.getByRole('menuitemradio', { name: 'العربية' }).click()
    await page.locator('html[lang="ar"][dir="rtl"]').waitFor()
    await page.getByRole('textbox', { name: 'الرسالة' }).waitFor()
    expect(await sidebarStart()).toBeGreaterThan(1_000)
    expect(await isUntouched()).toBe(true)
    const field = page.getByRole('textbox', { name: 'الرسالة' })
    const direction = () => field.evaluate((element) => getComputedStyle(element).direction)
    expect(await direction()).toBe('rtl')
    await field.fill('A question in English')
    expect(await direction()).toBe('ltr')
    await page.reload()
    await page.getByRole('textbox', { name: 'الرسالة' }).waitFor()
    expect(await language()).toBe('ar')
  })

  it('a refusal is in the caller’s accepted language, but in English under /api/v1', async () => {
    const client = apiClient(on.system.url).with({ 'accept-language': 'fr-CA, en;q=0.5' })
    const refused = await client.post('/api/auth/login', { identifier: 'nobody', password: 'not the password' })
    expect(refused.body).toMatchObject({
      code: 'unauthenticated',
      error: 'Échec de la connexion. Vérifiez vos identifiants et réessayez.',
    })
    const ofPrograms = await client.get('/api/v1/models')
    expect(ofPrograms.text).toContain('You did not provide an API key.')
  })

  it('no button of the main screens is narrower than its text on a phone, in German and in Japanese', async () => {
    const person = await registerPerson(on.system, 'mina')
    const phone = await newVisitor(on.browser, on.system.url, { size: 'phone' })
    const faults: string[] = []
    const look = async (path: string): Promise<void> => {
      await phone.page.goto(path)
      await phone.page.locator('main h1, main textarea').first().waitFor()
      for (const locale of ['de', 'ja'] as const) {
        await drawLocale(phone.page, locale)
        for (const text of await overflowingButtons(phone.page)) faults.push(`${path} in ${locale}: ${text}`)
      }
    }
    for (const path of ['/login', '/register', '/password-reset', '/privacy']) await look(path)
    await enter(phone.page, person)
    const sections = ['appearance', 'preferences', 'keys', 'usage', 'memory'].map((name) => `/profile/${name}`)
    for (const path of ['/', '/profile', ...sections]) await look(path)
    await enter(phone.page, await adminPerson(on.system))
    for (const section of ['users', 'settings']) await look(`/admin/${section}`)
    expect(faults).toEqual([])
    await phone.leave()
  })
})
