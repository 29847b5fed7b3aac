import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { newVisitor } from '../src/browser.ts'
import { signedOut } from '../src/entrance.ts'
import { intercept, stopIntercepting } from '../src/intercept.ts'
import { answers, codeFor, composer, enter, hear, password, registerPerson, say } from '../src/people.ts'
import { confirmAddress, signIn } from '../src/settings.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

declare const document: { readonly documentElement: object; readonly body: object }
declare const getComputedStyle: (element: object) => { getPropertyValue(name: string): string }

const plum = { primary: '#c58cf2', secondary: '#f28cb8', accent: '#f2b450', neutral: '#2a2136' }

describe('the settings', () => {
  let on: SharedSystem
  let page: Page
  let people = 0

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
  })
  it.beforeEach(({ visitor }) => {
    on.provider.reset()
    people += 1
    page = visitor.page
  })

  const button = (name: string, on: Page = page) => on.getByRole('button', { name, exact: true })
  const reads = (text: string | RegExp, on: Page = page) => on.getByText(text).first().waitFor()
  const name = () => `settler${people}`
  const address = () => `${name()}@parley.test`

  /** Opens a page of the settings as a new, signed-in user. */
  async function arrive(path: string): Promise<void> {
    await enter(page, await registerPerson(on.system, name()), path)
  }
  const variable = (on: Page, property: string) =>
    on.evaluate((wanted) => getComputedStyle(document.documentElement).getPropertyValue(wanted).trim(), property)
  const toDraw = (on: Page, property: string, value: string) => expect.poll(() => variable(on, property)).toBe(value)

  it('are reached from the account menu and the palette by keyboard alone, and ask for sign-in first', async () => {
    await registerPerson(on.system, name())
    await page.goto('/profile/appearance')
    await page.getByLabel('Username or email').fill(name())
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Appearance' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/profile/appearance')
    await page.getByRole('link', { name: 'Back to chat' }).press('Enter')
    await composer(page).press('ControlOrMeta+KeyK')
    await page.getByRole('combobox').fill('settings pref')
    await page.getByRole('option', { name: 'Preferences' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Preferences' }).waitFor()
    await page.getByRole('button', { name: new RegExp(name()) }).press('Enter')
    await page.getByRole('menuitem', { name: 'Settings' }).press('Enter')
    await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor()
  })

  it('of reading apply in other tabs at once', async () => {
    await arrive('/profile/appearance')
    const other = await page.context().newPage()
    await other.goto('/profile/appearance')
    await reads('Larger', other)
    await page.bringToFront()
    await page.getByText('Larger', { exact: true }).click()
    await expect.poll(() => other.locator('html').getAttribute('data-text-size')).toBe('larger')
    expect(await other.getByLabel('Larger').isChecked()).toBe(true)
  })

  it('save a new name, and show at the field that a name is taken', async () => {
    const taken = `taken${people}`
    await registerPerson(on.system, taken)
    await arrive('/profile')
    await page.getByLabel('Username').fill(taken)
    await page.getByLabel('Display name').fill('Ada Lovelace')
    await button('Save changes').click()
    await expect.poll(() => page.getByLabel('Username').getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => page.getByLabel('Username').evaluate((field) => field.matches(':focus'))).toBe(true)
    await page.getByLabel('Username').fill(name())
    await button('Save changes').click()
    await reads('Your profile has been saved.')
    await page.reload()
    await expect.poll(() => page.getByLabel('Display name').inputValue()).toBe('Ada Lovelace')
    await button('Ada Lovelace')
      .or(page.getByRole('button', { name: /Ada Lovelace/ }))
      .first()
      .waitFor()
  })

  it('keep what was typed while the server is down, and save it once it is back', async () => {
    await arrive('/profile')
    await page.getByLabel('Display name').fill('Grace')
    await page.route('**/api/user/profile', (route) => route.abort())
    await button('Save changes').click()
    await reads('Failed to update profile')
    expect(await page.getByLabel('Display name').inputValue()).toBe('Grace')
    await page.unroute('**/api/user/profile')
    await button('Save changes').click()
    await reads('Your profile has been saved.')
  })

  it('change the e-mail address with the password and the code mailed to the new address', async () => {
    await arrive('/profile')
    const next = `next${people}@parley.test`
    let mails = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/resend-verification')) mails += 1
    })
    await button('Verify').click()
    await button('Not now').click()
    await confirmAddress(page, on.system, address())
    expect(mails).toBe(1)
    await button('Change').click()
    await page.getByLabel('New email').fill(next)
    await page.getByLabel('Your password', { exact: true }).fill('not my password')
    await button('Change email').click()
    await reads('Incorrect password. Try again.')
    await page.getByLabel('Your password', { exact: true }).fill(password)
    await button('Change email').click()
    await page.getByLabel('Verification code').fill(await codeFor(on.system, next))
    await button('Verify').click()
    await reads('Your email address is verified.')
    await reads(next)
  })

  it('ask for no code when it could not be mailed, say so, and allow a retry', async () => {
    await arrive('/profile')
    const refusal = { error: 'Too many requests. Please try again in 30 s.', code: 'rate_limited', requestId: 'r' }
    await page.route('**/api/auth/resend-verification', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '30' }, json: refusal }),
    )
    await button('Verify').click()
    await reads(refusal.error)
    expect(await page.getByLabel('Verification code').count()).toBe(0)
    await page.unroute('**/api/auth/resend-verification')
    await confirmAddress(page, on.system, address())
  })

  it('change the password, and sign the other browser out', async () => {
    await arrive('/profile')
    const other = await newVisitor(on.browser, on.system.url)
    await signIn(other.page, name())
    await composer(other.page).waitFor()
    await page.getByLabel('Current password', { exact: true }).fill('not my password')
    await page.getByLabel('New password', { exact: true }).fill('a wholly different phrase')
    await page.getByLabel('Confirm password').fill('a wholly different phrase')
    await button('Change password').click()
    await reads('Incorrect password. Try again.')
    await page.getByLabel('Current password', { exact: true }).fill(password)
    await button('Change password').click()
    await expect.poll(() => page.getByLabel('Current password', { exact: true }).inputValue()).toBe('')
    await button('Sign in', other.page)
      .or(other.page.getByRole('link', { name: 'Sign in' }))
      .first()
      .waitFor()
    await other.leave()
    await page.reload()
    await reads('This device')
    const again = await newVisitor(on.browser, on.system.url)
    await signIn(again.page, name())
    await reads('Login failed', again.page)
    await signIn(again.page, name(), 'a wholly different phrase')
    await composer(again.page).waitFor()
    await again.leave()
  })

  it('keep the password when the new one is too short or not repeated, or the server gives no reason', async () => {
    await arrive('/profile')
    const field = (label: string) => page.getByLabel(label, { exact: true })
    await reads('At least 8 characters')
    await field('Current password').fill(password)
    await field('New password').fill('short')
    await field('Confirm password').fill('another')
    await button('Change password').click()
    await reads('Password must be at least 8 characters')
    await field('New password').fill('a wholly different phrase')
    await button('Change password').click()
    await reads('Passwords must match')
    await page.route('**/api/user/change-password', (route) => route.fulfill({ status: 500, body: '' }))
    await field('Confirm password').fill('a wholly different phrase')
    await button('Change password').click()
    await page.getByRole('main').getByText('Failed to change password').waitFor()
    expect(await field('New password').inputValue()).toBe('a wholly different phrase')
  })

  it('list the devices, and sign one of them out, then all others', async () => {
    await arrive('/profile')
    const third = await newVisitor(on.browser, on.system.url)
    await signIn(third.page, name())
    await composer(third.page).waitFor()
    await third.leave()
    const other = await newVisitor(on.browser, on.system.url, { size: 'phone' })
    await signIn(other.page, name())
    await composer(other.page).waitFor()
    await page.reload()
    const rows = page.getByRole('listitem').filter({ hasText: 'last used' })
    await expect.poll(() => rows.count()).toBe(3)
    const before = await rows.count()
    expect(await rows.first().textContent()).toContain('This device')
    const isFocused = (what: Locator) => expect.poll(() => what.evaluate((one) => one.matches(':focus'))).toBe(true)
    const end = page.getByRole('button', { name: 'Sign out Chrome on Linux' }).first()
    await end.click()
    await page.keyboard.press('Escape')
    await isFocused(end)
    await end.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => rows.count()).toBe(before - 1)
    await isFocused(rows.nth(1).locator('[data-row]'))
    await signedOut(other.page).waitFor()
    await button('Sign out all other devices').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    await isFocused(rows.first().locator('[data-row]'))
    await other.leave()
    await page.reload()
    await reads('This device')
  })

  it('say in the dialog why all links could not be revoked, and revoke them by the next try', async () => {
    const person = await registerPerson(on.system, name())
    const { body } = await person.api.post(
      '/api/chat',
      { message: 'Hello', model: 'v3' },
      { headers: { accept: 'application/json' } },
    )
    const { chatId } = body as { chatId: string }
    expect((await person.api.post('/api/share', { chatId })).status).toBeLessThan(300)
    await enter(page, person, '/profile')
    await intercept(page, '/share', ({ method }) => (method === 'DELETE' ? { status: 500 } : 'continue'))
    await button('Stop sharing all').click()
    const revoke = page.getByRole('dialog').getByRole('button', { name: 'Stop sharing all' })
    await revoke.click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await stopIntercepting(page)
    await revoke.click()
    await reads('You aren’t sharing any chats.')
  })

  it('apply the chosen colours at once, in the other tab, and before the first paint of the next load', async () => {
    await arrive('/profile/appearance')
    const tab = await page.context().newPage()
    await tab.goto('/')
    await composer(tab).waitFor()
    await button('Plum').click()
    await toDraw(page, '--brand', plum.primary)
    await page.getByRole('status').getByText('Saved').waitFor()
    await toDraw(tab, '--brand', plum.primary)
    await page.getByRole('radio', { name: 'Light' }).check()
    await expect.poll(() => tab.locator('html').getAttribute('data-theme')).toBe('delglight')
    const dark = await variable(page, '--brand')
    expect(dark).not.toBe(plum.primary)
    await tab.close()

    // No script runs on this page, so it shows only what the first paint has.
    const blank = await page.context().newPage()
    await blank.route('**/assets/*.js', (route) => route.abort())
    await blank.goto('/')
    expect(await variable(blank, '--brand')).toBe(dark)
    expect(await blank.locator('html').getAttribute('data-theme')).toBe('delglight')
    await blank.close()

    const elsewhere = await newVisitor(on.browser, on.system.url)
    await signIn(elsewhere.page, name())
    await composer(elsewhere.page).waitFor()
    await toDraw(elsewhere.page, '--brand', dark)
    expect(await elsewhere.page.locator('html').getAttribute('data-theme')).toBe('delglight')
    await elsewhere.leave()

    await button('Reset').click()
    await toDraw(page, '--brand', '#0a6d60')
  })

  it('apply a theme in this browser even when the account cannot be updated', async () => {
    await arrive('/profile/appearance')
    await page.route('**/api/user/profile', (route) => route.abort())
    await page.getByRole('radio', { name: 'Light' }).check()
    await page.getByRole('status').getByText('Not saved').waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('delglight')
    await page.reload()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('delglight')
  })

  it('apply to new chats: the default model, and reasoning only if enabled', async () => {
    await arrive('/profile/preferences')
    const model = page.getByLabel('Default text model')
    const haiku = await model.locator('option', { hasText: 'Claude Haiku' }).getAttribute('value')
    await model.selectOption(haiku)
    await page.getByRole('status').getByText('Saved').waitFor()
    await page.getByRole('link', { name: 'Back to chat' }).click()
    await page.getByRole('button', { name: 'Model: Claude Haiku' }).waitFor()

    await page.goto('/profile/preferences')
    await model.selectOption('v3')
    await page.getByRole('status').getByText('Saved').waitFor()
    on.provider.reply({ reasoning: ['Let me think'], text: 'Because.' })
    await page.getByRole('link', { name: 'Back to chat' }).click()
    await say(page, 'Why?')
    await hear(page, 'Because.')
    const thoughts = answers(page).getByText(/^Thought/)
    await thoughts.waitFor()
    const chat = page.url()
    await page.goto('/profile/preferences')
    const toggle = page.getByRole('switch', { name: 'Show AI thinking' })
    await toggle.click()
    await page.getByRole('status').getByText('Saved').waitFor()
    await page.goto(chat)
    await hear(page, 'Because.')
    expect(await thoughts.count()).toBe(0)
  })

  it('revert a preference that could not be saved, and say so', async () => {
    await arrive('/profile/preferences')
    await page.route('**/api/user/profile', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 500, body: '' }) : route.fallback(),
    )
    const toggle = page.getByRole('switch', { name: 'Auto save chats' })
    await toggle.click()
    await reads('Failed to update profile')
    await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('true')
  })
})
