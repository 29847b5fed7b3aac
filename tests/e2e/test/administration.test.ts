import type { AdminPlan, Model } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { adminPerson, composer, enter, type Person, registerPerson } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

describe('the administration', () => {
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

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const said = (text: string | RegExp) =>
    page
      .getByRole('region', { name: /^Notifications/ })
      .getByText(text)
      .first()
      .waitFor()
  const section = async (name: string) => {
    await page.getByRole('link', { name, exact: true }).press('Enter')
    await page.getByRole('heading', { name, level: 1 }).waitFor()
  }
  const choose = async (row: string, action: string) => {
    await button(`Options for ${row}`).press('Enter')
    await page.locator('[role^="menuitem"]', { hasText: action }).press('Enter')
  }

  it('sends visitors and users home, and says why', async () => {
    await page.goto('/admin/users')
    await said('You must be logged in to access the admin panel')
    await composer(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await enter(page, await registerPerson(on.system, 'no-admin'), '/admin/settings')
    await said('You do not have permission to access the admin panel')
    await composer(page).waitFor()
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  })

  it('lets an admin add a model, assign a plan, ban a user and undo it, and change a setting, without a mouse', async () => {
    await registerPerson(on.system, 'looked-after')
    await enter(page, admin)
    await page.getByRole('button', { name: /Administrator$/ }).press('Enter')
    await page.getByRole('menuitem', { name: 'Administration' }).press('Enter')
    await page.getByText('Total users').waitFor()

    await section('Models')
    await button('New model').press('Enter')
    await field('ID').fill('openai/journey')
    await field('Group').fill('Journeys')
    await field('Group').press('Enter')
    await page.getByText('Please correct the form errors').waitFor()
    await expect.poll(() => field('Name').evaluate((input) => input.matches(':focus'))).toBe(true)
    await page.reload()
    expect(await field('ID').inputValue()).toBe('openai/journey')
    await field('Name').fill('Journey model')
    await button('Test connection').press('Enter')
    await page.getByText(/^Answered in [\d,]+ ms$/).waitFor()
    await field('Input price').fill('2.5')
    await field('Output price').fill('10')
    await page.getByText('This answer costs $0.0075 at the provider and is charged 1 credit.').waitFor()
    await field('Name').press('Enter')
    await said('Model created')
    const { models } = (await admin.api.get('/api/admin/models?query=journey')).body as { models: Model[] }
    expect(models).toMatchObject([{ inputPrice: 2_500_000, outputPrice: 10_000_000 }])
    await page.getByRole('switch', { name: 'Journey model is enabled' }).press(' ')
    await said('Model status updated')
    await choose('Journey model', 'Edit')
    await page.getByRole('heading', { name: 'Journey model', level: 1 }).waitFor()
    await button('Cancel').press('Enter')
    await choose('Journey model', 'Delete model')
    await field('Type openai/journey to confirm').fill('openai/journey')
    await field('Type openai/journey to confirm').press('Enter')
    await said('Model deleted')

    await section('Plans')
    await button('New plan').press('Enter')
    await field('Name').fill('Journey plan')
    await field('Name').press('Enter')
    await said('Plan created')

    await section('Users')
    await page.getByRole('searchbox', { name: 'Find a user…' }).fill('looked-after')
    await page.waitForURL(/query=looked-after/)
    await page.reload()
    const row = page.getByRole('row', { name: /looked-after@/ })
    await choose('looked-after', 'Assign plan…')
    await page.getByRole('dialog').getByLabel('Plan').selectOption({ label: 'Journey plan, 100 credits per month' })
    await inDialog('Assign plan').press('Enter')
    await said('Plan assigned')
    await row.getByText('Journey plan').waitFor()
    await choose('looked-after', 'Grant 50 credits')
    await said('50 credits granted')
    await choose('looked-after', 'Ban…')
    await inDialog('Ban').press('Enter')
    await said('User banned')
    await row.getByText('Banned').waitFor()
    await button('Undo').press('Enter')
    await said('Undone')
    await row.getByText('Banned').waitFor({ state: 'detached' })
    await row.press('Enter')
    await page.getByRole('heading', { name: 'looked-after', level: 1 }).waitFor()
    await page.getByRole('img', { name: /^Credits and Answers by day/ }).waitFor()
    await page.goBack()

    await section('Settings')
    await page.getByText('You are Parley, a helpful assistant.').waitFor()
    await button('Test it').press('Enter')
    await page.getByText(/^Answered in [\d,]+ ms$/).waitFor()
    await field('Credit warning').fill('70')
    await field('Credit warning').press('Enter')
    await said('Settings updated')
    await button('Refresh').press('Enter')
    await said('Data refreshed')
  })

  it('selects a range of rows by keyboard and bans them together, with their number on the button', async () => {
    for (const name of ['range-one', 'range-two', 'range-three']) await registerPerson(on.system, name)
    await enter(page, admin, '/admin/users?query=range-&sort=username&order=asc')
    const rows = page.locator('[data-row]')
    await expect.poll(() => rows.count()).toBe(3)
    await rows.first().focus()
    await page.keyboard.press(' ')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await button('Ban 3').press('Enter')
    await inDialog('Ban 3 users').press('Enter')
    await said('3 users banned')
    await expect.poll(() => page.getByRole('cell', { name: 'Banned' }).count()).toBe(3)
  })

  it('sets a key to custom limits within bounds, verifies its secret and revokes it', async () => {
    const owner = await registerPerson(on.system, 'key-owner')
    const { body } = await owner.api.post('/api/user/keys', { label: 'Owned report' })
    const { secret } = body as { secret: string }
    await enter(page, admin, '/admin/keys?query=Owned')
    await choose('Owned report', 'Custom…')
    await field('Requests per window').fill('9')
    await field('Window in minutes').fill('0')
    await inDialog('Set custom limits').press('Enter')
    await page.getByText('Requests per window must be at least 10').waitFor()
    await page.getByText('window size must be at least 1 minute').waitFor()
    await field('Requests per window').fill('50')
    await field('Window in minutes').fill('15')
    await inDialog('Set custom limits').press('Enter')
    await said('Key set to custom')
    await page.getByRole('cell', { name: '50 per 15 minutes' }).waitFor()
    const verify = async (text: string) => {
      await field('Secret').fill(text)
      await button('Verify').press('Enter')
    }
    await verify('not a secret')
    await page.getByText('Invalid key or verification failed').waitFor()
    await verify(secret)
    await button('Owned report').waitFor()
    await choose('Owned report', 'Revoke…')
    await inDialog('Revoke 1 key').press('Enter')
    await said('Key revoked')
    await page.getByText('No matching key found').waitFor()
  })

  it('keeps the last values, read-only, and the selection when a refresh fails, and says so', async () => {
    await enter(page, admin, '/admin/users')
    await page.locator('[data-row]').first().press(' ')
    await page.getByText('1 selected').waitFor()
    const options = page.getByRole('button', { name: /^Options for / }).first()
    expect(await options.isEnabled()).toBe(true)
    await page.route('**/api/admin/users*', (route) => route.fulfill({ status: 503, json: {} }))
    await button('Refresh').press('Enter')
    await page
      .getByRole('alert')
      .getByText(/^Failed to load admin data · showing data from .+, read-only$/)
      .waitFor()
    await page.getByText('1 selected').waitFor()
    expect(await options.isDisabled()).toBe(true)
    expect(await button('Grant credits to 1').isDisabled()).toBe(true)
    await section('Plans')
    await page.getByRole('cell', { name: 'Default', exact: true }).waitFor()
    expect(await button('New plan').isEnabled()).toBe(true)
    await page.goBack()
    await page.getByText('Failed to load admin data').first().waitFor()
    await page.unroute('**/api/admin/users*')
    await button('Try again').press('Enter')
    await page.getByText('Failed to load admin data').first().waitFor({ state: 'detached' })
    // Fails billing alone; the list of users works without it.
    await page.route('**/api/admin/users*', async (route) => {
      const { users, ...rest } = await (await route.fetch()).json()
      const known = (users as object[]).map((user) => ({ ...user, plan: null, credits: null }))
      await route.fulfill({ json: { ...rest, users: known } })
    })
    await button('Refresh').press('Enter')
    await page
      .getByRole('status')
      .getByText(/^Plans and credits can’t be loaded right now\. · showing data from .+, read-only$/)
      .waitFor()
    await page.getByRole('cell', { name: 'Free' }).first().waitFor()
    await page.locator('[data-row]').first().press(' ')
    expect(await button('Grant credits to 1').isDisabled()).toBe(true)
    await options.press('Enter')
    expect(await page.getByRole('menuitem', { name: 'Assign plan…' }).isDisabled()).toBe(true)
    expect(await page.getByRole('menuitem', { name: 'End sessions…' }).isEnabled()).toBe(true)
  })

  it('keeps a filter that is chosen before the typed search begins', async () => {
    await enter(page, admin, '/admin/users')
    await page.getByRole('searchbox', { name: 'Find a user…' }).fill('hurried')
    await field('State').selectOption('banned')
    await page.waitForURL(({ searchParams }) => {
      return searchParams.get('state') === 'banned' && searchParams.get('query') === 'hurried'
    })
  })

  it('has the columns of models at the same place for every provider', async () => {
    await enter(page, admin, '/admin/models')
    await page.getByRole('columnheader', { name: 'Last used' }).nth(1).waitFor()
    for (const name of ['ID', 'Group', 'Credits', 'Last used', 'Enabled']) {
      const heads = await page.getByRole('columnheader', { name, exact: true }).all()
      const places = await Promise.all(heads.map(async (head) => Math.round((await head.boundingBox())?.x ?? 0)))
      expect(new Set(places).size).toBe(1)
    }
  })

  it('moves all users of a plan that cannot be deleted for them, says that this is for good, and deletes it then', async () => {
    const { body } = await admin.api.post('/api/admin/plans', { name: 'Emptied', monthlyCredits: 10 })
    const { id: planId } = (body as { plan: AdminPlan }).plan
    await admin.api.post('/api/admin/plans', { name: 'Refuge', monthlyCredits: 20 })
    for (const name of ['moved-one', 'moved-two']) {
      const { id } = await registerPerson(on.system, name)
      await admin.api.post(`/api/admin/users/${id}/plan`, { planId })
    }
    await enter(page, admin, '/admin/plans')
    await choose('Emptied', 'Delete plan')
    await page.getByText('2 users are on this plan. Move them to another plan first.').waitFor()
    await inDialog('Move all users…').press('Enter')
    await page
      .getByRole('dialog')
      .getByText(/can’t be undone/)
      .waitFor()
    await page.getByRole('dialog').getByLabel('To plan').selectOption({ label: 'Refuge, 20 credits per month' })
    await inDialog('Move all users').press('Enter')
    await said('All users moved')
    await choose('Emptied', 'Delete plan')
    await inDialog('Delete plan').press('Enter')
    await said('Plan deleted')
    await section('Audit log')
    await page
      .getByRole('row', { name: /plan\.users-moved.*Emptied/ })
      .getByText(/users: – → 2/)
      .waitFor()
  })

  it('shows what another admin has saved meanwhile before it is overwritten', async () => {
    await enter(page, admin, '/admin/plans')
    await button('Options for Free').press('Enter')
    await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
    await field('Description').fill('What I write')
    const { plans } = (await admin.api.get('/api/admin/plans')).body as { plans: AdminPlan[] }
    const free = plans.find(({ id }) => id === 'free')
    await admin.api.patch('/api/admin/plans/free', { description: 'What they wrote' })
    await field('Description').press('Enter')
    const notice = page.getByRole('alert').filter({ hasText: 'Another admin changed this in the meantime' })
    await notice.getByText('theirs: What they wrote').waitFor()
    expect(await field('Description').inputValue()).toBe('What I write')
    await notice.getByRole('button', { name: 'Keep mine' }).press('Enter')
    await said('Plan updated')
    await page.getByRole('cell', { name: 'What I write' }).waitFor()
    await admin.api.patch('/api/admin/plans/free', { description: free?.description ?? '' })
  })

  it('shows the product as a user in one tab, read-only and without chats, until the admin stops or signs out elsewhere', async () => {
    const viewed = await registerPerson(on.system, 'viewed-one')
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    const bar = page.getByRole('region', { name: 'View as a user' })
    const view = async () => {
      await button('Actions').press('Enter')
      await page.getByRole('menuitem', { name: 'View as user' }).press('Enter')
      await bar.getByText('Viewing as viewed-one').waitFor()
    }
    await enter(page, await adminPerson(on.system), `/admin/users/${viewed.id}`)
    await view()
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
    expect(await field('Username').inputValue()).toBe('viewed-one')
    expect(await field('Username').isDisabled()).toBe(true)
    calls.length = 0
    await page.getByRole('link', { name: 'Usage', exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Back to chat' }).press('Enter')
    await page.getByRole('heading', { name: 'Chats are hidden' }).waitFor()
    await page.reload()
    await bar.getByText('Read-only').waitFor()
    expect(calls.filter((path) => /^\/api\/(chat\/(?!models)|auth\/refresh)|^\/socket/.test(path))).toEqual([])

    const other = await page.context().newPage()
    await other.goto('/admin')
    await other.getByText('Total users').waitFor()
    await bar.getByRole('button', { name: 'Stop viewing' }).press('Enter')
    await page.getByRole('heading', { name: 'viewed-one', level: 1 }).waitFor()
    await page.getByRole('cell', { name: 'admin as viewed-one' }).first().waitFor()

    await view()
    await other.getByRole('button', { name: /Administrator$/ }).press('Enter')
    await other.getByRole('menuitem', { name: 'Sign out' }).press('Enter')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await bar.waitFor({ state: 'detached' })
  })
})
