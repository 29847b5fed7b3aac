import { apiClient, waitUntil } from '@parley/testing'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, onTestFinished } from 'vitest'
import { newVisitor } from '../src/browser.ts'
import { itWhereItApplies } from '../src/deviations.ts'
import { button, heading, signedOut, storedText, typeCode } from '../src/entrance.ts'
import { codeFor, composer, hear, password, registerPerson, say } from '../src/people.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'

const newPassword = 'turnip lantern gravel oboe'
let people = 0
const newName = (): string => {
  people += 1
  return `arrival${people}`
}

async function signIn(page: Page, identifier: string, secret: string): Promise<void> {
  await page.getByLabel('Username or email').fill(identifier)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await button(page, 'Sign in').click()
}

const openAccount = (page: Page, name: string) => page.getByRole('button', { name }).first().click()

async function signOut(page: Page, name: string): Promise<void> {
  await openAccount(page, name)
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

async function fillRegistration(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(`${username}@parley.test`)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByLabel('Confirm password').fill(newPassword)
}

describe('signing in and registering', () => {
  let on: SharedSystem
  let page: Page

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ guest: { weeklyLimit: 1_000 } })
  })
  it.beforeEach(({ visitor }) => {
    on.provider.reset()
    page = visitor.page
  })

  /** An account whose user is not signed in here. */
  const givenAccount = async (): Promise<{ name: string; email: string }> => {
    const name = newName()
    await registerPerson(on.system, name)
    return { name, email: `${name}@parley.test` }
  }
  const resetLinkFor = (email: string): Promise<string> => {
    const inbox = apiClient(on.system.inboxUrl)
    return waitUntil(async () => {
      const { body } = await inbox.get(`/messages?to=${encodeURIComponent(email)}`)
      return (body as { text: string }[]).flatMap(({ text }) => /http\S+\/password-reset\?\S+/.exec(text) ?? [])[0]
    }, `a link for ${email}`).finally(() => inbox.close())
  }

  it('registration shows mistakes, and takes a new code after a change of address', async ({ visitor }) => {
    const name = newName()
    await visitor.installClock()
    await page.goto('/c/wanted')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Username').fill(name)
    await page.getByLabel('Password', { exact: true }).fill('password1')
    await page.getByText('This is similar to a commonly used password.').waitFor()
    await button(page, 'Create account').click()
    await page.getByText('Please enter a valid email address').waitFor()
    await expect.poll(() => page.getByLabel('Email').evaluate((field) => field.matches(':focus'))).toBe(true)
    await fillRegistration(page, name)
    await page.getByText('Strong.').waitFor()
    await button(page, 'Create account').click()
    await heading(page, 'Check your email').waitFor()

    const first = await codeFor(on.system, `${name}@parley.test`)
    const wrong = first === '000000' ? '000001' : '000000'
    await page.route('**/api/auth/verify-email', (route) => route.abort())
    await typeCode(page, wrong)
    await page.getByRole('main').getByText('Can’t reach the server.').waitFor()
    expect(await page.getByLabel('Digit 6 of 6').inputValue()).toBe(wrong[5])
    await page.unroute('**/api/auth/verify-email')
    await button(page, 'Verify').click()
    await page.getByRole('main').getByText('Invalid or expired code').waitFor()
    expect(await page.getByLabel('Digit 6 of 6').inputValue()).toBe('')
    expect(await page.getByRole('button', { name: /^Send a new code in \d+ s$/ }).isDisabled()).toBe(true)
    // The toast of the wrong code is being closed at this moment, and takes nothing along that comes in its place.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 61_000)
    const resent = page.waitForResponse('**/api/auth/resend-verification')
    await button(page, 'Send a new code').click()
    await resent
    await page.clock.runFor(100)
    await page.clock.resume()
    await page.getByText('A new code is on its way.').waitFor()
    await page.reload()
    await heading(page, 'Check your email').waitFor()

    await button(page, 'Change email').click()
    await page.getByLabel('New email').fill(`Moved.${name}@Parley.test`)
    await button(page, 'Change email').click()
    await page.getByText(`moved.${name}@parley.test`).waitFor()
    await typeCode(page, await codeFor(on.system, `moved.${name}@parley.test`))
    await page.waitForURL('**/c/wanted')
  })

  itWhereItApplies(
    'a code that cannot be delivered is reported, with the way to another address',
    async ({ visitor }) => {
      let outcome = 'waiting'
      await page.route('**/api/auth/verification-mail', (route) => route.fulfill({ json: { outcome } }))
      await visitor.installClock()
      await page.goto('/register')
      await fillRegistration(page, newName())
      await button(page, 'Create account').click()
      const asked = page.waitForResponse('**/api/auth/verification-mail')
      await heading(page, 'Check your email').waitFor()
      await asked
      expect(await page.getByText('couldn’t be delivered').count()).toBe(0)
      outcome = 'failed'
      await page.clock.fastForward(5_000)
      await page.getByText('couldn’t be delivered').waitFor()
      let calls = 0
      page.on('request', (request) => {
        if (request.url().endsWith('/verification-mail')) calls += 1
      })
      await page.clock.fastForward(60_000)
      await button(page, 'Change email').click()
      await page.getByLabel('New email').waitFor()
      expect(calls).toBe(0)
    },
  )

  it('a forgotten password gets the same response for every address, a link that works once, and signs every other device out', async () => {
    const { name, email } = await givenAccount()
    const other = await newVisitor(on.browser, on.system.url)
    await other.page.goto('/login')
    await signIn(other.page, email, password)
    await composer(other.page).waitFor()

    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    const askFor = async (address: string): Promise<string> => {
      await page.getByLabel('Email').fill(address)
      await button(page, 'Send link').click()
      await heading(page, 'Check your email').waitFor()
      // The countdown until the next link keeps running.
      return ((await page.getByRole('main').textContent()) ?? '').replace(/ in \d+ s/, '')
    }
    const strange = await askFor('nobody@parley.test')
    await button(page, 'Use a different email').click()
    expect(await askFor(email.toUpperCase())).toBe(strange.replace('nobody@parley.test', email))
    expect(await page.getByRole('button', { name: /^Send another link in \d+ s$/ }).isDisabled()).toBe(true)

    const link = await resetLinkFor(email)
    const token = new URL(link).searchParams.get('token') ?? ''
    expect(token.length).toBeGreaterThan(20)
    await page.goto(link)
    await heading(page, 'Choose a new password').waitFor()
    expect(page.url()).toBe(`${on.system.url}/password-reset`)
    expect(await storedText(page)).not.toContain(token)
    await page.getByLabel('New password', { exact: true }).fill('password1')
    await page.getByLabel('Confirm password').fill('password1')
    await button(page, 'Set new password').click()
    await page.locator('[aria-invalid=true][name=newPassword]').waitFor()
    await page.getByLabel('New password', { exact: true }).fill(newPassword)
    await page.getByLabel('Confirm password').fill(newPassword)
    await button(page, 'Set new password').click()
    await page.getByText('Your password has been changed.').waitFor()

    await signedOut(other.page).waitFor()
    await other.leave()
    await signIn(page, name, password)
    await page.getByRole('main').getByText('Login failed').waitFor()
    const toast = page.locator('[data-sonner-toast][data-removed=false]', { hasText: 'Login failed' })
    await toast.waitFor()
    await signIn(page, name, newPassword)
    await composer(page).waitFor()
    expect(await toast.count()).toBe(0)

    const third = await newVisitor(on.browser, on.system.url)
    await third.page.goto(link)
    await third.page.getByLabel('New password', { exact: true }).fill('another lantern gravel oboe')
    await third.page.getByLabel('Confirm password').fill('another lantern gravel oboe')
    await button(third.page, 'Set new password').click()
    await heading(third.page, 'Invalid Reset Link').waitFor()
    await third.page.getByText('This link is invalid or has expired. Links expire after 30 minutes.').waitFor()
    await button(third.page, 'Request a new link').click()
    expect(await third.page.getByLabel('Email').inputValue()).toBe(email)
    await third.leave()

    await page.goto('/password-reset?token=x')
    await composer(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
  })

  itWhereItApplies('the sign-in form promises to keep a draft only if there is one', async () => {
    await page.goto('/login')
    await page.getByText('Welcome back.').waitFor()
    await page.getByRole('link', { name: 'Continue as guest' }).click()
    await composer(page).fill('And a gravel oboe?')
    await page.goto('/login')
    await page.getByText('Your draft will be kept.').waitFor()
  })

  describe("with a guest's chat", () => {
    beforeEach(async () => {
      await page.goto('/')
      await say(page, 'What is a turnip?')
      await hear(page, 'You said: What is a turnip?')
      await composer(page).fill('And a gravel oboe?')
    })
    /** Expects the chat in the account, complete and only once, and open with the draft. */
    const expectCarried = async (): Promise<void> => {
      await page.waitForURL('**/c/*')
      await hear(page, 'You said: What is a turnip?')
      expect(await composer(page).inputValue()).toBe('And a gravel oboe?')
      const inList = page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: 'What is a turnip?' })
      await inList.waitFor()
      await page.reload()
      await hear(page, 'You said: What is a turnip?')
      await inList.waitFor()
      expect(await inList.count()).toBe(1)
      expect(await storedText(page)).not.toContain('guest-thread')
    }
    const open = async (name: string) => {
      await page.getByRole('link', { name }).last().click()
      await page.getByRole('main').getByRole('textbox').first().waitFor()
    }

    it('signing in migrates the chat and opens it', async () => {
      const { name } = await givenAccount()
      await open('Sign in')
      await page.getByText('This guest chat comes with you.').waitFor()
      await signIn(page, name, password)
      await expectCarried()
    })

    it('registration migrates the chat, even if the page is reloaded before the code is typed', async () => {
      const name = newName()
      await open('Create an account')
      await fillRegistration(page, name)
      await button(page, 'Create account').click()
      await heading(page, 'Check your email').waitFor()
      await page.reload()
      await typeCode(page, await codeFor(on.system, `${name}@parley.test`))
      await expectCarried()
    })

    it('a migration whose response is lost creates the chat only once', async () => {
      const { name } = await givenAccount()
      await page.route('**/api/chat/import*', async (route) => {
        await route.fetch()
        await route.abort()
      })
      await open('Sign in')
      await signIn(page, name, password)
      await page.getByText('It’s kept in this tab.').waitFor()
      expect(await storedText(page)).toContain('What is a turnip?')
      await page.unroute('**/api/chat/import*')
      await button(page, 'Try again').click()
      await expectCarried()
    })

    itWhereItApplies('a chat that could not be migrated survives a reload', async () => {
      const { name } = await givenAccount()
      await page.route('**/api/chat/import*', (route) => route.fulfill({ status: 503, body: '' }))
      await open('Sign in')
      await signIn(page, name, password)
      await page.getByText('It’s kept in this tab.').waitFor()
      await page.unroute('**/api/chat/import*')
      await page.reload()
      await expectCarried()
    })

    itWhereItApplies(
      'a retried migration keeps the composer, and a chat that is refused for good can be discarded',
      async () => {
        const { name } = await givenAccount()
        let status = 503
        await page.route('**/api/chat/import*', (route) => route.fulfill({ status, body: '' }))
        await open('Sign in')
        await signIn(page, name, password)
        await page.getByText('It’s kept in this tab.').waitFor()
        const field = await composer(page).elementHandle()
        status = 413
        await button(page, 'Try again').click()
        await page.getByText('until you discard it.').waitFor()
        expect(await field?.evaluate((node) => node.isConnected)).toBe(true)
        await button(page, 'Discard').click()
        await expect.poll(() => storedText(page)).not.toContain('guest-thread')
      },
    )

    itWhereItApplies('a chat that could not be migrated is removed without a notice at sign-out', async () => {
      const { name } = await givenAccount()
      await page.route('**/api/chat/import*', (route) => route.fulfill({ status: 503, body: '' }))
      await open('Sign in')
      await signIn(page, name, password)
      await page.getByText('It’s kept in this tab.').waitFor()
      const other = await page.context().newPage()
      await other.goto('/')
      await signOut(other, name)
      await signedOut(page).waitFor()
      await page.getByText('It’s kept in this tab.').waitFor({ state: 'detached' })
      expect(await storedText(page)).not.toContain('guest-thread')
    })

    it('a running answer is awaited and migrated in full', async () => {
      const { name } = await givenAccount()
      let resume = (): void => undefined
      const until = new Promise<void>((resolve) => {
        resume = resolve
      })
      on.provider.reply({ chunks: Array.from({ length: 60 }, (_, at) => `word${at} `), pause: { after: 20, until } })
      await composer(page).fill('')
      await say(page, 'At length, please')
      await page.getByText('word5').waitFor()
      await open('Sign in')
      resume()
      await waitUntil(async () => (await storedText(page)).includes('word59'), 'the whole answer')
      await signIn(page, name, password)
      await page.waitForURL('**/c/*')
      await page.getByText('word59').waitFor()
    })
  })

  it('a guest’s theme becomes that of the new account, and applies in another browser', async ({ task }) => {
    const name = newName()
    await page.goto('/')
    await openAccount(page, 'Guest')
    await page.getByRole('menuitemradio', { name: 'Light' }).click()
    await page.goto('/register')
    await fillRegistration(page, name)
    await button(page, 'Create account').click()
    await heading(page, 'Check your email').waitFor()
    const kept = page.waitForResponse('**/api/user/profile')
    await typeCode(page, await codeFor(on.system, `${name}@parley.test`))
    expect((await kept).status()).toBe(200)
    await composer(page).waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('delglight')
    const other = await newVisitor(on.browser, on.system.url)
    onTestFinished(() => endVisit(other, task))
    await other.page.goto('/login')
    await signIn(other.page, name, newPassword)
    await expect.poll(() => other.page.locator('html').getAttribute('data-theme')).toBe('delglight')
  })

  it('an account’s theme stays with the account: the next user of the browser sees the browser’s own', async () => {
    const { name } = await givenAccount()
    await page.goto('/login')
    await signIn(page, name, password)
    await openAccount(page, name)
    const kept = page.waitForResponse('**/api/user/profile')
    await page.getByRole('menuitemradio', { name: 'Light' }).click()
    await kept
    expect(await page.locator('html').getAttribute('data-theme')).toBe('delglight')
    await page.reload()
    await signOut(page, name)
    await signedOut(page).waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('delgdark')
    expect(await storedText(page)).not.toContain('delglight')
    await page.goto('/login')
    await signIn(page, name, password)
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('delglight')
  })

  itWhereItApplies('without a server: says so, keeps what was entered, and goes on once it is back', async () => {
    const { name } = await givenAccount()
    await page.goto('/login')
    await heading(page, 'Sign in').waitFor()
    await on.system.kill()
    await signIn(page, name, password)
    await page.getByRole('main').getByText('Can’t reach the server.').waitFor()
    expect(await page.getByLabel('Username or email').inputValue()).toBe(name)
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(password)
    await on.startAgain()
    await button(page, 'Sign in').click()
    await composer(page).waitFor()
  })
})
