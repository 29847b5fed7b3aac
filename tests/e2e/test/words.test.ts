import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, screenshot, type Visitor } from '../src/browser.ts'
import { composer, hear, password, registerPerson, say, signInPage } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

/** The words of the product where the server has none of its own. */
describe('what people read', () => {
  let on: SharedSystem
  let visitor: Visitor
  let page: Page
  let people = 0
  /** Whether the page may report errors: those that a test has made. */
  let expectsErrors = false

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false, guest: { weeklyLimit: 1_000 } })
  })
  beforeEach(async () => {
    on.provider.reset()
    expectsErrors = false
    visitor = await newVisitor(on.browser, on.system.url)
    page = visitor.page
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name}`)
    await visitor.leave()
    if (!expectsErrors) expect(visitor.errors).toEqual([])
  })

  /** Signs somebody new in who has as many chats. */
  const arriveWith = async (titles: readonly string[]): Promise<string[]> => {
    people += 1
    const person = await registerPerson(on.system, `reader${people}`)
    const ids: string[] = []
    for (const title of titles) {
      const { body } = await person.api.post('/api/chat/history', { title, model: 'v3' })
      ids.push((body as { chatId: string }).chatId)
    }
    await signInPage(visitor.page, person)
    return ids
  }
  /** Has calls of a method fail without a word, as they do behind a proxy; answers what ends that. */
  const failing = async (path: string, method: string, status = 500) => {
    const pattern = `**/api${path}`
    await page.route(pattern, (route) =>
      route.request().method() === method ? route.fulfill({ status, body: '' }) : route.fallback(),
    )
    return () => page.unroute(pattern)
  }
  const withoutSocket = () => page.routeWebSocket(/socket\.io/, (socket) => socket.close())
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const reads = (text: string) => page.getByText(text, { exact: true }).first().waitFor()

  it('when signing in and registering fail', async () => {
    await failing('/auth/login', 'POST')
    await failing('/auth/register', 'POST')
    await page.goto('/login')
    await page.getByLabel('Username or e-mail').fill('somebody')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button('Sign in').click()
    await reads('Failed to login')
    expect(await page.getByRole('region', { name: /Notifications/ }).textContent()).toContain('Failed to login')
    await page.goto('/register')
    await page.getByLabel('Username').fill('somebody')
    await page.getByLabel('E-mail').fill('somebody@parley.test')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Repeat password').fill(password)
    await button('Create account').click()
    await reads('Registration failed. Please try again later.')
    await failing('/auth/register', 'POST', 400)
    await button('Create account').click()
    await reads('Failed to register')
  })

  it('when a code, a new code and another address fail', async () => {
    await failing('/auth/verify-email', 'POST', 400)
    for (const path of ['/auth/resend-verification', '/auth/update-email']) await failing(path, 'POST')
    await visitor.page.addInitScript(() =>
      sessionStorage.setItem('private:verification', JSON.stringify({ username: 'somebody', sentAt: 0 })),
    )
    await page.goto('/register')
    await page.getByLabel('Digit 1 of 6').click()
    await page.keyboard.type('123456')
    await reads('Invalid or expired code')
    await button('Send a new code').click()
    await reads('Failed to resend verification email')
    await button('Change e-mail').click()
    await page.getByLabel('New e-mail').fill('Else.Where@Parley.TEST')
    const asked = page.waitForRequest('**/api/auth/update-email')
    await button('Change e-mail').click()
    await reads('Failed to update email')
    expect((await asked).postDataJSON()).toMatchObject({ newEmail: 'else.where@parley.test' })
  })

  it('when the list, a chat, and what is done with chats fail', async () => {
    const [first] = await arriveWith(['Alpha', 'Beta'])
    // A connection that comes late would have the list loaded before it is asked for.
    await withoutSocket()
    const mend = await failing('/chat/history?*', 'GET')
    await page.goto('/')
    await reads('Failed to load chat history.')
    await mend()
    await button('Try again').click()
    await page.getByRole('link', { name: 'Alpha' }).waitFor()

    for (const method of ['PUT', 'DELETE']) await failing('/chat/history/*', method)
    await failing('/chat/history/*/rename', 'PUT')
    const option = async (name: string) => {
      await button('Options of Alpha').click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await option('Rename')
    await page.getByRole('textbox', { name: 'New title' }).fill('Omega')
    await page.keyboard.press('Enter')
    await reads('Failed to rename chat')
    await option('Delete')
    await reads('Failed to delete chat')
    await page.getByRole('link', { name: 'Alpha' }).waitFor()

    await failing('/chat/bulk', 'DELETE')
    await button('Options of the list').click()
    await page.getByRole('menuitem', { name: 'Select chats' }).click()
    expect(await button('Delete').isDisabled()).toBe(true)
    await button('Select all').click()
    await button('Delete').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await reads('Failed to bulk delete chats')

    await failing('/chat/history/*', 'GET')
    await page.goto(`/c/${first}`)
    await reads('Failed to load chat')
  })

  it('when the server has words of its own: those', async () => {
    await arriveWith([])
    await page.route('**/api/chat/history?*', (route) =>
      route.fulfill({ status: 503, json: { error: 'Back on Monday', code: 'unavailable', requestId: 'r' } }),
    )
    await page.goto('/')
    await reads('Back on Monday')
    expect(await page.getByText('Failed to load chat history.').count()).toBe(0)
  })

  it('when a send fails without a word, first in a new chat', async () => {
    await arriveWith([])
    await failing('/chat', 'POST')
    await page.goto('/')
    await composer(page).fill('Hello?')
    await composer(page).press('Enter')
    await page.getByText('Failed to start a new chat session. Please try again.').waitFor()
    await page.getByText('Sorry, this answer could not be given.').waitFor()
  })

  it('while it loads: nothing for 150 ms, then who is asked for', async () => {
    await visitor.installClock({ time: new Date('2030-01-01T00:00:00Z') })
    await page.clock.pauseAt(new Date('2030-01-01T00:00:10Z'))
    let answer = (): void => undefined
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/chat/guest-info', async (route) => {
      await held
      await route.continue()
    })
    const asked = page.waitForRequest('**/api/chat/guest-info')
    await page.goto('/')
    const overlay = page.getByRole('status').first()
    await overlay.waitFor({ state: 'attached' })
    await asked
    await page.clock.runFor(149)
    expect(await overlay.textContent()).toBe('')
    await page.clock.runFor(1)
    await expect.poll(() => overlay.textContent()).toBe('Authenticating…')
    await page.clock.resume()
    answer()
    await composer(page).waitFor()
    expect(await page.getByText('Authenticating…').count()).toBe(0)
  })

  it('the form waits for the button of single sign-on, which would push it aside', async () => {
    await visitor.installClock({ time: new Date('2030-01-01T00:00:00Z') })
    await page.clock.pauseAt(new Date('2030-01-01T00:00:10Z'))
    await page.route('**/api/auth/config', async (route) => {
      const config = await (await route.fetch()).json()
      await route.fulfill({ json: { ...config, oauth: { enabled: true, label: 'Continue with the company' } } })
    })
    await page.goto('/login')
    await page.evaluate(
      `new MutationObserver(() => {
        if (document.querySelector('h1')) window.firstDrawn ??= document.body.textContent
      }).observe(document.body, { childList: true, subtree: true })`,
    )
    const firstDrawn = async () => {
      // The page's clock goes slower than the server answers.
      await page.clock.runFor(5)
      return page.evaluate('window.firstDrawn ?? ""')
    }
    await expect.poll(firstDrawn, { interval: 20 }).toContain('Continue with the company')
  })

  it('while a screen loads: “Loading…”', async () => {
    let answer = (): void => undefined
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/assets/chat-screen-*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/')
    await page.getByRole('status').getByText('Loading…', { exact: true }).waitFor()
    answer()
    await composer(page).waitFor()
  })

  it('when a page breaks: what it offers, and after three tries whether to refresh', async () => {
    expectsErrors = true
    await page.route('**/assets/chat-screen-*.js', (route) => route.abort())
    await page.goto('/')
    await page.getByRole('heading', { name: 'Page Error' }).waitFor()
    await button('Go Home').waitFor()
    await button('Show Details').click()
    await button('Hide Details').waitFor()
    const question = page.getByRole('heading', { name: 'Refresh the page?' })
    for (let tries = 0; tries < 3; tries += 1) {
      await button('Try Again').click()
      await page.getByRole('heading', { name: 'Page Error' }).waitFor()
      expect(await question.count()).toBe(0)
    }
    await button('Try Again').click()
    await question.waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('errorLog') ?? '[]') as unknown[])
    expect(kept).toHaveLength(4)
    await page.evaluate("history.pushState(null, '', '/login'); dispatchEvent(new PopStateEvent('popstate'))")
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.getByText('Page Error').count()).toBe(0)
    await page.unrouteAll()
    await page.goto('/')
    await say(page, 'Whole again')
    await hear(page, 'You said: Whole again')
  })

  it('when a part of a page breaks, and when all of it does', async () => {
    expectsErrors = true
    await arriveWith(['Alpha'])
    await page.route('**/assets/import-dialog-*.js', (route) => route.abort())
    await page.goto('/')
    await button('Options of the list').click()
    await page.getByRole('menuitem', { name: 'Import chats' }).click()
    await page.getByRole('heading', { name: 'Component Error' }).waitFor()
    await composer(page).waitFor()
    await page.route('**/assets/account-*.js', (route) => route.abort())
    await page.goto('/')
    await page.getByRole('heading', { name: 'Application Error' }).waitFor()
  })

  it('when that breaks which nobody sees: nothing', async () => {
    expectsErrors = true
    await visitor.page.addInitScript(() =>
      sessionStorage.setItem('private:guest-thread', JSON.stringify({ messages: [], generating: 'm1' })),
    )
    await page.route('**/assets/chat-*.js', (route) => route.abort())
    await page.goto('/login')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('errorLog'))).toContain('component')
    expect(await page.getByText('Component Error').count()).toBe(0)
  })

  it('in its place: signed in, no sign-in; a visitor is led to it and back to what they wanted', async () => {
    await page.goto('/c/not-for-guests')
    await page.waitForURL('**/login')
    await page.getByLabel('Username or e-mail').fill(on.system.admin.username)
    await page.getByLabel('Password', { exact: true }).fill(on.system.admin.password)
    await button('Sign in').click()
    await page.waitForURL('**/c/not-for-guests')
    for (const path of ['/login', '/register']) {
      await page.goto(path)
      await composer(page).waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
    }
  })

  it('as a visitor: no chats, and nothing to do with them; where guests are not let in, the sign-in', async () => {
    await page.goto('/')
    await say(page, 'Only now')
    await hear(page, 'You said: Only now')
    await page.getByText('Sign in to keep your chats, choose models and pick up on any device.').waitFor()
    expect(await page.getByRole('button', { name: /^Options of/ }).count()).toBe(0)
    expect(await page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: 'Only now' }).count()).toBe(
      0,
    )
    await page.route('**/api/chat/guest-info', (route) =>
      route.fulfill({ status: 401, json: { error: 'No guests', code: 'guest_not_allowed', requestId: 'r' } }),
    )
    await page.goto('/')
    await page.waitForURL('**/login')
  })

  it('in the list: a new chat, also where nobody tells of it', async () => {
    await arriveWith([])
    await withoutSocket()
    await page.goto('/')
    await page.getByText('Your chats will be listed here.').waitFor()
    await say(page, 'A new one')
    await page.getByRole('link', { name: 'A new one' }).waitFor()
  })

  it('of an answer in one piece, and what its headers say of a guest', async () => {
    await page.route('**/api/chat', (route) =>
      route.fulfill({
        headers: { 'x-guest-session-id': 'a-guest.signed', 'x-guest-remaining-messages': '137' },
        json: { chatId: 'c1', messageId: 'm1', content: 'All at once' },
      }),
    )
    await page.goto('/')
    await say(page, 'No stream, please')
    await hear(page, 'All at once')
    await page.getByText(/137 of 1,?000 guest messages left/).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('guestSessionId'))).toBe('a-guest.signed')
  })

  it('of signing out: gone, also when the server cannot be told', async () => {
    await arriveWith([])
    await page.goto('/')
    await composer(page).waitFor()
    await failing('/auth/logout', 'POST')
    await page
      .getByRole('button', { name: `reader${people}` })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    expect(await page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')])).toEqual([
      null,
      null,
    ])
  })

  it('of the theme: delgdark where nothing was chosen', async () => {
    await page.goto('/')
    await composer(page).waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('delgdark')
    expect(await page.evaluate(() => localStorage.getItem('theme'))).not.toBe('delglight')
  })
})
