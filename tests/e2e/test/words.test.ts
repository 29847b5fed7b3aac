import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, screenshot, type Visitor } from '../src/browser.ts'
import { composer, hear, password, registerPerson, say, signInPage } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

/** The product's own texts, for when the server sends none. */
describe('the screen shows', () => {
  let on: SharedSystem
  let visitor: Visitor
  let page: Page
  let people = 0
  /** Whether the page may report errors, caused by the test itself. */
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

  /** Signs a new user in who has chats with these titles; resolves to their ids. */
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
  /** Makes calls of a method fail with an empty body, as a proxy does; resolves to a function that ends this. */
  const failing = async (path: string, method: string, status = 500) => {
    const pattern = `**/api${path}`
    await page.route(pattern, (route) =>
      route.request().method() === method ? route.fulfill({ status, body: '' }) : route.fallback(),
    )
    return () => page.unroute(pattern)
  }
  const withoutSocket = () => page.routeWebSocket(/socket\.io/, (socket) => socket.close())
  /** Advances the page's clock through its retry pauses until a locator has this many matches. */
  const whilePausesPass = (what: Locator, count: number) =>
    expect
      .poll(
        async () => {
          await page.clock.runFor(500)
          return what.count()
        },
        { interval: 20 },
      )
      .toBe(count)
  const pageBreaks = () => whilePausesPass(page.getByRole('heading', { name: 'Page Error' }), 1)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const reads = (text: string) => page.getByText(text, { exact: true }).first().waitFor()

  it('why signing in or registering failed', async () => {
    await failing('/auth/login', 'POST')
    await failing('/auth/register', 'POST')
    await page.goto('/login')
    await page.getByLabel('Username or email').fill('somebody')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button('Sign in').click()
    await reads('Failed to login')
    await expect
      .poll(() => page.getByRole('region', { name: /Notifications/ }).textContent())
      .toContain('Failed to login')
    await page.goto('/register')
    await page.getByLabel('Username').fill('somebody')
    await page.getByLabel('Email').fill('somebody@parley.test')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password').fill(password)
    await button('Create account').click()
    await reads('Registration failed. Please try again later.')
    await failing('/auth/register', 'POST', 400)
    await button('Create account').click()
    await reads('Failed to register')
  })

  it('why a code, a resent code or a change of address failed', async () => {
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
    await button('Change email').click()
    await page.getByLabel('New email').fill('Else.Where@Parley.TEST')
    const asked = page.waitForRequest('**/api/auth/update-email')
    await button('Change email').click()
    await reads('Failed to update email')
    expect((await asked).postDataJSON()).toMatchObject({ newEmail: 'else.where@parley.test' })
  })

  it('why the list, a chat, or an action on chats failed', async () => {
    const [first] = await arriveWith(['Alpha', 'Beta'])
    // A late connection would load the list before the test asks for it.
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
      await button('Options for Alpha').click()
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
    await button('List options').click()
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

  it('the server’s own text of an error', async () => {
    await arriveWith([])
    await page.route('**/api/chat/history?*', (route) =>
      route.fulfill({ status: 503, json: { error: 'Back on Monday', code: 'unavailable', requestId: 'r' } }),
    )
    await page.goto('/')
    await reads('Back on Monday')
    expect(await page.getByText('Failed to load chat history.').count()).toBe(0)
  })

  it('why a send failed without a server’s text, in a new chat first', async () => {
    await arriveWith([])
    await failing('/chat', 'POST')
    await page.goto('/')
    await composer(page).fill('Hello?')
    await composer(page).press('Enter')
    await page.getByText('Failed to start a new chat session. Please try again.').waitFor()
    await page.getByText('Sorry, this message couldn’t be answered.').waitFor()
  })

  it('nothing for the first 150 ms of loading, then what is loading', async () => {
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

  it('the sign-in form once the single sign-on button is known, so that the form does not shift', async () => {
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
      // Slower than the server's response.
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

  it('the actions on a broken page, and the offer to refresh after three attempts', async () => {
    expectsErrors = true
    await visitor.installClock()
    await page.route('**/assets/chat-screen-*.js', (route) => route.abort())
    await page.goto('/')
    await pageBreaks()
    await button('Go Home').waitFor()
    await button('Show Details').click()
    await button('Hide Details').waitFor()
    const question = page.getByRole('heading', { name: 'Refresh the page?' })
    for (let tries = 0; tries < 3; tries += 1) {
      await button('Try Again').click()
      await pageBreaks()
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

  it('a screen whose code or styles fail to load at first, and, after all retries have failed, on the next visit', async () => {
    expectsErrors = true
    await visitor.installClock()
    const failed = new Set<string>()
    await page.route('**/assets/privacy-page-*', (route) => {
      const url = route.request().url()
      if (failed.has(url)) return route.continue()
      failed.add(url)
      return route.abort()
    })
    const title = page.getByRole('heading', { level: 1, name: 'Privacy' })
    await page.goto('/privacy')
    await whilePausesPass(title, 1)
    expect([...failed].map((url) => url.slice(url.lastIndexOf('.'))).sort()).toEqual(['.css', '.js'])
    const looks = () =>
      page.evaluate('[...document.styleSheets].filter(({ href }) => href?.includes("privacy-page")).length')
    expect(await looks()).toBe(1)

    await page.unrouteAll()
    await page.route('**/assets/privacy-page-*', (route) => route.abort())
    await page.reload()
    await pageBreaks()
    await page.unrouteAll()
    await button('Try Again').click()
    await whilePausesPass(title, 1)
    expect(await looks()).toBe(1)
  })

  it('the fallback when a part of the page breaks, and when the whole application does', async () => {
    expectsErrors = true
    await arriveWith(['Alpha'])
    await visitor.installClock()
    await page.route('**/assets/profile-tab-*.js', (route) => route.abort())
    await page.goto('/profile')
    await whilePausesPass(page.getByRole('heading', { name: 'Component Error' }), 1)
    await page.getByRole('link', { name: 'Appearance' }).waitFor()
    await page.addInitScript(
      `Object.defineProperty(History.prototype, 'state', { get() { throw new Error('as the router reads it') } })`,
    )
    await page.goto('/')
    await whilePausesPass(page.getByRole('heading', { name: 'Application Error' }), 1)
  })

  it('nothing while an invisible part cannot be loaded', async () => {
    expectsErrors = true
    await visitor.page.addInitScript(() =>
      sessionStorage.setItem('private:guest-thread', JSON.stringify({ messages: [], generating: 'm1' })),
    )
    let refused = 0
    await page.route('**/assets/chat-*.js', (route) => {
      refused += 1
      return route.abort()
    })
    await page.goto('/login')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expect.poll(() => refused).toBeGreaterThan(1)
    expect(await page.getByText('Component Error').count()).toBe(0)
  })

  it('no sign-in to a signed-in user, and the requested page to a visitor after sign-in', async () => {
    await page.goto('/c/not-for-guests')
    await page.waitForURL('**/login')
    await page.getByLabel('Username or email').fill(on.system.admin.username)
    await page.getByLabel('Password', { exact: true }).fill(on.system.admin.password)
    await button('Sign in').click()
    await page.waitForURL('**/c/not-for-guests')
    for (const path of ['/login', '/register']) {
      await page.goto(path)
      await composer(page).waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
    }
  })

  it('no chats to a visitor, or the sign-in where guests are not allowed', async () => {
    await page.goto('/')
    await say(page, 'Only now')
    await hear(page, 'You said: Only now')
    await page.getByText('Sign in to keep your chats, choose models and pick up on any device.').waitFor()
    expect(await page.getByRole('button', { name: /^Options for/ }).count()).toBe(0)
    expect(await page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: 'Only now' }).count()).toBe(
      0,
    )
    await page.route('**/api/chat/guest-info', (route) =>
      route.fulfill({ status: 401, json: { error: 'No guests', code: 'guest_not_allowed', requestId: 'r' } }),
    )
    await page.goto('/')
    await page.waitForURL('**/login')
  })

  it('a new chat in the list, even without a live event', async () => {
    await arriveWith([])
    await withoutSocket()
    await page.goto('/')
    await page.getByText('Your chats will show up here.').waitFor()
    await say(page, 'A new one')
    await page.getByRole('link', { name: 'A new one' }).waitFor()
  })

  it('an answer that arrives in one piece, and the guest allowance from its headers', async () => {
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

  it('the signed-out state, even when the server cannot be reached', async () => {
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

  it('the default theme delgdark where none was chosen', async () => {
    await page.goto('/')
    await composer(page).waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('delgdark')
    expect(await page.evaluate(() => localStorage.getItem('theme'))).not.toBe('delglight')
  })
})
