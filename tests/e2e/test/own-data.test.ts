import { readFile } from 'node:fs/promises'
import { unzip } from '@parley/testing/unzip'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { itWhereItApplies } from '../src/deviations.ts'
import { storedText } from '../src/entrance.ts'
import { composer, enter, hear, password, registerPerson, say } from '../src/people.ts'
import { confirmAddress, mailTo, signIn } from '../src/settings.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

describe("the user's own data", () => {
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

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const reads = (text: string | RegExp) => page.getByText(text).first().waitFor()
  const name = () => `owner${people}`
  const address = () => `${name()}@parley.test`

  /** Opens a page of the application as a new, signed-in user. */
  async function arrive(path: string): Promise<void> {
    await enter(page, await registerPerson(on.system, name()), path)
  }

  it('is exported by mail, once per cooldown, from the privacy page and after signing in there', async () => {
    await registerPerson(on.system, name())
    await page.goto('/privacy')
    await reads('August 10, 2025')
    await button('Sign in to request your data').click()
    await page.getByLabel('Username or email').fill(name())
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button('Sign in').click()
    await button('Request my data').click()
    await reads('Please verify your email address first')
    await page.goto('/')
    await say(page, 'What is a gravel oboe?')
    await hear(page, 'You said: What is a gravel oboe?')
    await page.goto('/profile')
    await confirmAddress(page, on.system, address())
    await button('Request my data').click()
    await reads('The link has been sent to your email address.')
    await reads(/You can request another copy in/)
    expect(await button('Request my data').getAttribute('aria-disabled')).toBe('true')
    const link = await mailTo(on.system, address(), /http\S+\/data-export#\S+/)
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? 'none'
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    // As in another browser: the link needs no session.
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByRole('heading', { name: 'Your data', exact: true }).waitFor()
    await expect.poll(() => page.url()).toMatch(/\/data-export$/)
    const [download] = await Promise.all([page.waitForEvent('download'), button('Download my data').click()])
    expect(download.suggestedFilename()).toMatch(/^parley-data-\d{4}-\d\d-\d\d\.zip$/)
    const files = await unzip(new Uint8Array(await readFile(await download.path())))
    expect(files.get('account.json')?.toString()).toContain(address())
    const chat = [...files].find(([path]) => path.startsWith('chats/') && path.endsWith('.md'))
    expect(chat?.[1].toString()).toContain('What is a gravel oboe?')
    await reads('The download has started.')
    const sent = asked.filter((url) => url.startsWith('http'))
    expect(sent.some((url) => url.includes('/api/user/data-export/'))).toBe(true)
    // The fragment never leaves the browser.
    expect(sent.map((url) => url.split('#')[0]).filter((url) => url?.includes(token))).toEqual([])
  })

  it('cannot be downloaded by an expired link, whose page leads to another request', async () => {
    await page.goto('/data-export#id=00000000000000000000000000000000&token=some-token')
    await button('Download my data').click()
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    await page.getByRole('link', { name: 'Request another copy' }).click()
    await reads('Your data as a file')
  })

  itWhereItApplies(
    'has an export whose progress is shown after a failed request, and after a lost response',
    async () => {
      await arrive('/profile')
      const copy = { id: 'e1', state: 'collecting', requestedAt: '2026-01-15T10:00:00.000Z', expiresAt: null }
      let asked = false
      let down = true
      await page.route('**/api/user/data-export', (route) => {
        if (route.request().method() === 'POST') {
          asked = true
          return route.abort()
        }
        const dataExport = asked ? { ...copy, progress: { done: 1, total: 4 } } : null
        return down
          ? route.fulfill({ status: 500, body: '' })
          : route.fulfill({ json: { dataExport, nextAllowedAt: null } })
      })
      await page.reload()
      await reads('The status of your last request couldn’t be loaded.')
      down = false
      await button('Try again').click()
      await page.getByText('last request couldn’t be loaded').waitFor({ state: 'detached' })
      await expect.poll(() => button('Request my data').evaluate((one) => one.matches(':focus'))).toBe(true)
      await button('Request my data').click()
      await reads(/1 of 4 parts/)
      expect(await page.getByText('Your data couldn’t be requested.').count()).toBe(0)
    },
  )

  it('includes drafts, which survive a new sign-in before the deletion of the account', async () => {
    await arrive('/')
    await composer(page).fill('A draft of mine')
    await expect.poll(() => storedText(page)).toContain('A draft of mine')
    await page.route('**/api/user/profile', async (route) => {
      const response = await route.fetch()
      const { user } = (await response.json()) as { user: object }
      await route.fulfill({ response, json: { user: { ...user, authType: 'oauth', hasPassword: false } } })
    })
    await page.route('**/api/user', (route) =>
      route.fulfill({ status: 403, json: { error: 'Please sign in again.', code: 'forbidden', details: [] } }),
    )
    await page.goto('/profile')
    await button('Delete account…').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(`Type ${name()} to confirm`).fill(name())
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await dialog.getByRole('button', { name: 'Sign in again' }).click()
    await page.getByLabel('Username or email').fill(name())
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button('Sign in').click()
    await page.getByRole('link', { name: 'Back to chat' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('A draft of mine')
  })

  it('is erased with the account: the user is signed out to the goodbye page, and the old sign-in fails', async () => {
    await arrive('/profile')
    await button('Delete account…').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password', { exact: true }).fill('not my password')
    await dialog.getByLabel(`Type ${name()} to confirm`).fill('somebody')
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await reads('That’s not your username')
    await dialog.getByLabel(`Type ${name()} to confirm`).fill(name())
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await reads('Incorrect password. Try again.')
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor()
    expect(await storedText(page)).not.toContain(name())
    await signIn(page, name())
    await reads('Login failed')
    await mailTo(on.system, address(), /delet|erased/i)
  })
})
