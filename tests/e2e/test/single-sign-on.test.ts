import { authRoutes } from '@parley/contracts'
import { apiClient } from '@parley/testing'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, screenshot, type Visitor } from '../src/browser.ts'
import { button, heading, signedOut, storedText, typeCode } from '../src/entrance.ts'
import { codeFor, composer, password, registerPerson, say } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

describe('single sign-on', () => {
  let on: SharedSystem
  let visitor: Visitor
  let page: Page
  const label = 'Continue with the company'

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ guest: { weeklyLimit: 1_000 } })
    const verified = { email_verified: true }
    on.signOn.know({ sub: 'of jane', email: 'jane@company.test', preferred_username: 'jane', ...verified })
    on.signOn.know({ sub: 'of max', email: 'max-local@parley.test', preferred_username: 'max', ...verified })
    on.signOn.know({ sub: 'of kim', email: 'kim@company.test', preferred_username: 'kim', email_verified: false })
  })
  beforeEach(async () => {
    visitor = await newVisitor(on.browser, on.system.url)
    page = visitor.page
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name}`)
    await visitor.leave()
    expect(visitor.errors).toEqual([])
  })

  const username = (): Promise<string> => page.evaluate("JSON.parse(localStorage.getItem('user')).username")
  const signOn = async (sub: string): Promise<void> => {
    on.signOn.signInAs(sub)
    await button(page, label).click()
  }

  it('signs a guest in with their chat and draft, and next time into the same account, on the page they wanted', async () => {
    const callbacks: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/oauth/callback')) callbacks.push(request.postData() ?? '')
    })
    await page.goto('/')
    await say(page, 'What is a turnip?')
    await page.getByRole('button', { name: 'Stop generating' }).waitFor({ state: 'detached' })
    await composer(page).fill('And a gravel oboe?')
    await signedOut(page).click()
    await signOn('of jane')
    await page.waitForURL('**/c/*')
    await page.getByRole('article').filter({ hasText: 'What is a turnip?' }).first().waitFor()
    expect(await composer(page).inputValue()).toBe('And a gravel oboe?')
    expect(await username()).toBe('jane')
    expect(callbacks).toHaveLength(1)
    const { code } = JSON.parse(callbacks[0] ?? '{}') as { code: string }
    expect(await storedText(page)).not.toContain(code)

    const later = await newVisitor(on.browser, on.system.url)
    page = later.page
    await page.goto('/c/wanted')
    await signOn('of jane')
    await page.waitForURL('**/c/wanted')
    expect(await username()).toBe('jane')
    await later.leave()
  })

  it('asks for the password of a local account with the same e-mail before it links the two', async () => {
    await registerPerson(on.system, 'max-local')
    await page.goto('/c/wanted')
    await signOn('of max')
    await heading(page, 'You already have an account').waitFor()
    expect(await storedText(page)).not.toContain('token')
    await page.getByLabel('Password', { exact: true }).fill('not my password')
    await button(page, 'Connect and sign in').click()
    await page.locator('[aria-invalid=true]').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button(page, 'Connect and sign in').click()
    await page.waitForURL('**/c/wanted')
    expect(await username()).toBe('max-local')
  })

  it('requires a code for an address that the provider has not verified', async () => {
    await page.goto('/c/wanted')
    await signOn('of kim')
    await heading(page, 'Check your email').waitFor()
    await typeCode(page, await codeFor(on.system, 'kim@company.test'))
    await page.waitForURL('**/c/wanted')
    expect(await username()).toBe('kim')
  })

  it('shows why it failed, with a way out: cancelled, forged, reloaded, unreachable', async () => {
    const says = (text: string) => page.getByRole('main').getByText(text, { exact: true }).waitFor()
    await page.goto('/login')
    await signOn('nobody')
    await says('Sign-in was canceled. Nothing has changed.')
    expect(new URL(page.url()).search).toBe('')

    await page.goto('/auth/callback?code=stolen&state=of-another-browser')
    await says('Invalid state parameter, possible CSRF attack detected.')
    await page.reload()
    await says('No authorization code received from authentication server.')
    await page.goto('/auth/callback?code=x')
    await says('Missing state parameter (required for security).')
    await page.goto('/auth/callback?error=server_error&error_description=Call+this+number')
    await says('An unexpected error occurred during authentication.')
    expect(await page.getByText('Call this number').count()).toBe(0)

    on.signOn.signInAs('of jane')
    await page.route('**/api/auth/oauth/start?*', (route) => route.abort())
    await button(page, 'Try again').click()
    await says('Failed to initiate OAuth login. Please try again.')
    await page.unroute('**/api/auth/oauth/start?*')
    await button(page, 'Try again').click()
    await composer(page).waitFor()
    expect(await username()).toBe('jane')
  })

  it('redirects through the gateway to the provider and back into a session', async () => {
    const api = apiClient(on.system.url)
    const config = await api.get('/api/auth/config')
    expect(config.body).toMatchObject({ oauth: { enabled: true, label: 'Continue with the company' } })
    const started = await api.get('/api/auth/oauth/start?returnTo=/profile')
    const { url } = authRoutes.startOAuth.answer?.parse(started.body) ?? { url: '' }
    const [cookie = ''] = [started.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0])
    const { code, state, iss } = await on.signOn.visit(url)
    const back = await api.with({ cookie }).post('/api/auth/oauth/callback', { code, state, iss })
    expect(back).toMatchObject({ status: 200, body: { returnTo: '/profile', user: { username: 'jane' } } })
    const { token } = back.body as { token: string }
    const me = await api.with({ authorization: `Bearer ${token}` }).get('/api/user/profile')
    expect(me.body).toMatchObject({ user: { email: 'jane@company.test', authType: 'oauth' } })
    await api.close()
  })
})
