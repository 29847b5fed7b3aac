import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { intercept, stopIntercepting } from '../src/intercept.ts'
import { adminPerson, enter, type Person, registerPerson } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

describe('refusals in the administration', () => {
  let on: SharedSystem
  let page: Page
  let admin: Person

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
    admin = await adminPerson(on.system)
  })
  it.beforeEach(({ visitor }) => {
    page = visitor.page
  })

  const dialog = () => page.getByRole('dialog')
  const toasts = () => page.getByRole('region', { name: /^Notifications/ })
  const said = (text: string) => toasts().getByText(text).first().waitFor()
  const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).press('Enter')
  const openMenu = (row: string) => page.getByRole('button', { name: `Options for ${row}`, exact: true }).press('Enter')
  const choose = async (row: string, action: string) => {
    await openMenu(row)
    await page.locator('[role^="menuitem"]', { hasText: action }).press('Enter')
  }
  const conflict = { status: 409, json: { error: 'This has changed since.', code: 'conflict', requestId: 'r' } }
  const unavailable = { status: 503, json: { error: 'Out of service', code: 'unavailable', requestId: 'r' } }
  /** Confirms a dialog while the server fails, and again once it is back. */
  const confirmTwice = async (name: string, failure: string, done: string) => {
    await confirm(name)
    await dialog().getByRole('alert').getByText(failure).waitFor()
    expect(await toasts().getByText(failure).count()).toBe(0)
    await stopIntercepting(page)
    await confirm(name)
    await said(done)
    await dialog().waitFor({ state: 'detached' })
  }

  it('a failed act on users or keys is explained in the dialog, which stays open for a retry', async () => {
    const [, second] = [await registerPerson(on.system, 'refused-one'), await registerPerson(on.system, 'refused-two')]
    await second.api.post('/api/user/keys', { label: 'Refused report' })
    await enter(page, admin, '/admin/users?query=refused-')
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (/\/api\/admin\/users\/[^/]+\/credits$/.test(request.url())) keys.push(request.headers()['idempotency-key'])
    })
    await choose('refused-one', 'Grant credits…')
    await confirm('Grant credits')
    await dialog().getByText('Enter a whole number of at least 1').waitFor()
    await page.getByLabel('Credits', { exact: true }).fill('5')
    await intercept(page, '/admin/users/*/credits', () => unavailable)
    await confirm('Grant credits')
    await dialog().getByText('Enter a whole number of at least 1').waitFor({ state: 'detached' })
    await confirmTwice('Grant credits', 'Failed to grant credits: Out of service', '5 credits granted')
    expect(keys).toEqual([expect.any(String), keys[0], keys[0]])
    await choose('refused-one', 'Assign plan…')
    await intercept(page, '/admin/users/*/plan', () => conflict)
    await confirmTwice('Assign plan', 'Failed to assign plan: This has changed since.', 'Plan assigned')

    await page.getByLabel('Select all rows').check()
    await page.getByRole('button', { name: 'Ban 2', exact: true }).press('Enter')
    await intercept(page, `/admin/users/${second.id}`, () => 'abort')
    await confirm('Ban 2 users')
    // Only the user for whom it failed is asked about again.
    await dialog().getByRole('heading', { name: 'Ban refused-two?' }).waitFor()
    await confirmTwice('Ban', 'Failed to update ban status', 'User banned')
    await expect.poll(() => page.getByRole('cell', { name: 'Banned' }).count()).toBe(2)

    await page.getByRole('link', { name: 'API keys', exact: true }).press('Enter')
    await choose('Refused report', 'Reset usage…')
    await intercept(page, '/admin/keys/*/reset-usage', () => conflict)
    await confirmTwice('Reset usage for 1 key', 'Failed to reset usage: This has changed since.', 'Usage reset')
    await choose('Refused report', 'Revoke…')
    await intercept(page, '/admin/keys/*', () => unavailable)
    await confirmTwice('Revoke 1 key', 'Failed to revoke key: Out of service', 'Key revoked')
  })

  it('credits granted from the menu of a row whose answer was lost are granted once by a second try', async () => {
    const { id } = await registerPerson(on.system, 'granted-at-once')
    const credits = async (): Promise<number | undefined> => {
      const { body } = await admin.api.get(`/api/admin/users/${id}`)
      return (body as { user: { credits: { remaining: number } | null } }).user.credits?.remaining
    }
    await expect.poll(credits).toBe(100)
    await enter(page, admin, '/admin/users?query=granted-at-once')
    await intercept(page, `/admin/users/${id}/credits`, async (call) => {
      await call.fetch()
      return 'abort' as const
    })
    await choose('granted-at-once', 'Grant 10 credits')
    await said('Failed to grant credits')
    await stopIntercepting(page)
    await choose('granted-at-once', 'Grant 10 credits')
    await said('10 credits granted')
    expect(await credits()).toBe(110)
    await choose('granted-at-once', 'Grant 10 credits')
    await expect.poll(credits).toBe(120)
  })

  it('an act that is chosen while another one is on its way is done after it', async () => {
    for (const name of ['hasty-one', 'hasty-two']) await registerPerson(on.system, name)
    await enter(page, admin, '/admin/users?query=hasty-')
    const released = Promise.withResolvers<'continue'>()
    await intercept(page, '/admin/users/*', ({ method }) => (method === 'PATCH' ? released.promise : 'continue'))
    for (const name of ['hasty-one', 'hasty-two']) await choose(name, 'Make admin')
    released.resolve('continue')
    await expect.poll(() => page.getByRole('cell', { name: /^Admin/ }).count()).toBe(2)
  })

  it('a refused undo names the conflicting change in the dialog of its entry', async () => {
    const { id } = await registerPerson(on.system, 'changed-since')
    for (const banned of [true, false]) await admin.api.patch(`/api/admin/users/${id}`, { banned })
    await enter(page, admin, `/admin/audit?target=${id}`)
    await page.locator('[data-row]', { hasText: 'user.banned' }).press('Enter')
    await confirm('Undo')
    const alert = dialog().getByRole('alert')
    await alert.getByText('Failed to undo: This has changed since.').waitFor()
    await alert.getByText('banned: Was true, is now false').waitFor()
    expect(await toasts().getByText('Failed to undo').count()).toBe(0)
    expect(await dialog().getByRole('button', { name: 'Undo', exact: true }).isEnabled()).toBe(true)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  it('the audit log tells an empty log from a filter without matches', async () => {
    await intercept(page, '/admin/audit*', () => ({ json: { entries: [], nextCursor: null } }))
    await enter(page, admin, '/admin/audit')
    await page.getByText('No admin actions yet.').waitFor()
    await page.getByRole('searchbox', { name: 'Action' }).fill('nothing')
    await page.getByText('No entries match.').waitFor()
  })

  it('the page of an unknown user says so and links to all users', async () => {
    await enter(page, admin, '/admin/users/no-such-user')
    await page.getByRole('heading', { name: 'User not found', level: 1 }).waitFor()
    expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'All users' }).press('Enter')
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  })

  it('the tiers of a key are grouped under a heading, and the chosen one is marked without looking focused', async () => {
    const owner = await registerPerson(on.system, 'tier-owner')
    await owner.api.post('/api/user/keys', { label: 'Tiered report' })
    await enter(page, admin, '/admin/keys?query=Tiered')
    await openMenu('Tiered report')
    const tiers = page.getByRole('group', { name: 'Tier', exact: true })
    await tiers.getByText('Tier', { exact: true }).waitFor()
    const choices = tiers.getByRole('menuitemradio')
    expect(await choices.count()).toBe(5)
    const chosen = tiers.getByRole('menuitemradio', { checked: true })
    expect(await chosen.textContent()).toBe('Basic')
    const [first, second, third] = [choices.nth(0), choices.nth(1), choices.nth(2)]
    await second.focus()
    const background = (item: typeof first) => item.evaluate((element) => getComputedStyle(element).backgroundColor)
    // Wait for the colour transition.
    await expect.poll(async () => (await background(first)) === (await background(third))).toBe(true)
    await expect.poll(async () => (await background(second)) === (await background(third))).toBe(false)
    expect([await first.locator('svg').count(), await third.locator('svg').count()]).toEqual([2, 1])
  })
})

declare const getComputedStyle: (element: unknown) => { readonly backgroundColor: string }
