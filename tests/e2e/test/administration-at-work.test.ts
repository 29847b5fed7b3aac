import { readFile } from 'node:fs/promises'
import type { Model } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { newVisitor } from '../src/browser.ts'
import { intercept } from '../src/intercept.ts'
import { toHaveFocus } from '../src/keyboard.ts'
import { adminPerson, codeFor, connectedLive, enter, type Person, registerPerson } from '../src/people.ts'
import { someAdminKeys } from '../src/scenes/administration-data.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'

/** Milliseconds between the page's own refreshes. */
const refreshMs = 30_000

describe('an admin at work', () => {
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
  const toasts = () => page.getByRole('region', { name: /^Notifications/ })
  const said = (text: string) => toasts().getByText(text, { exact: true }).first().waitFor()
  const choose = async (row: string, action: string) => {
    await button(`Options for ${row}`).press('Enter')
    await page.locator('[role^="menuitem"]', { hasText: action }).press('Enter')
  }
  const search = () => new URL(page.url()).searchParams
  const makeModels = async (...ids: readonly string[]) => {
    for (const id of ids) await admin.api.post('/api/admin/models', { id, name: id, provider: 'google', group: 'Work' })
  }
  const removeModels = async (...ids: readonly string[]) => {
    for (const id of ids) await admin.api.delete(`/api/admin/models/${encodeURIComponent(id)}`)
  }
  const modelOf = async (id: string): Promise<Model | undefined> =>
    ((await admin.api.get(`/api/admin/models?query=${id}`)).body as { models: Model[] }).models[0]

  it('sees at once what another admin changes, and keeps the search, the selection and the focus', async () => {
    const { id } = await registerPerson(on.system, 'seen-one')
    await registerPerson(on.system, 'seen-two')
    await page.addInitScript(stopRefreshing, refreshMs)
    const connected = connectedLive(page)
    await enter(page, admin, '/admin/users?query=seen-')
    await connected
    await page.getByLabel('Select seen-two').check()
    const field = page.getByRole('searchbox', { name: 'Find a user…' })
    await field.focus()
    const banned = page.getByRole('row', { name: /seen-one@/ }).getByText('Banned')
    await admin.api.patch(`/api/admin/users/${id}`, { banned: true })
    await banned.waitFor()
    await admin.api.patch(`/api/admin/users/${id}`, { banned: false })
    await banned.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Select seen-two').isChecked()).toBe(true)
    expect(await field.inputValue()).toBe('seen-')
    await toHaveFocus(field)
  })

  it('sees at once a plan, credits and admin rights that another admin gives, and a plan, a model and a setting that one changes', async () => {
    const { id } = await registerPerson(on.system, 'given-one')
    await makeModels('seen-model')
    const made = await admin.api.post('/api/admin/plans', { name: 'Seen plan', monthlyCredits: 7_000 })
    const { plan } = made.body as { plan: { id: string } }
    await page.addInitScript(stopRefreshing, refreshMs)
    const connected = connectedLive(page)
    await enter(page, admin, '/admin/users?query=given-one')
    await connected
    const row = page.getByRole('row', { name: /given-one@/ })
    await row.waitFor()
    await admin.api.post(`/api/admin/users/${id}/plan`, { planId: plan.id })
    await row.getByText('Seen plan').waitFor()
    await row.getByText('7,000').waitFor()
    await admin.api.post(`/api/admin/users/${id}/credits`, { amount: 50 })
    await row.getByText('7,050').waitFor()
    await admin.api.patch(`/api/admin/users/${id}`, { isAdmin: true })
    await row.getByText('Admin', { exact: true }).waitFor()
    const show = async (section: string) => {
      await page.getByRole('link', { name: section, exact: true }).click()
      await page.getByRole('heading', { name: section, level: 1 }).waitFor()
    }
    await show('Plans')
    const ofPlan = page.getByRole('row', { name: /Seen plan/ })
    await ofPlan.getByText('7,000').waitFor()
    await admin.api.patch(`/api/admin/plans/${plan.id}`, { monthlyCredits: 8_000 })
    await ofPlan.getByText('8,000').waitFor()
    await show('Models')
    await page.getByText('seen-model').first().waitFor()
    await admin.api.patch('/api/admin/models/seen-model', { name: 'Renamed by another admin' })
    await page.getByText('Renamed by another admin').first().waitFor()
    await show('Settings')
    const cooldown = page.getByLabel('Data export cooldown')
    await cooldown.waitFor()
    await admin.api.patch('/api/admin/settings', { dataExportCooldownMinutes: 77 })
    await expect.poll(() => cooldown.inputValue()).toBe('77')
    await admin.api.patch('/api/admin/settings', { dataExportCooldownMinutes: 1440 })
    await removeModels('seen-model')
  })

  it('finds filters, order and page again by back, forward, a reload and the link', async () => {
    for (const name of ['linked-one', 'linked-two']) await registerPerson(on.system, name)
    await enter(page, admin, '/admin/users?query=linked-')
    const names = () => page.getByRole('rowheader').allTextContents()
    await button('User').click()
    await expect.poll(names).toEqual(['linked-one', 'linked-two'])
    await button('User').click()
    await expect.poll(names).toEqual(['linked-two', 'linked-one'])
    await page.getByLabel('State').selectOption('banned')
    await page.getByText('No users match.').waitFor()
    expect(Object.fromEntries(search())).toEqual({ query: 'linked-', sort: 'username', order: 'desc', state: 'banned' })
    await page.goBack()
    await expect.poll(names).toEqual(['linked-two', 'linked-one'])
    await page.goBack()
    await expect.poll(names).toEqual(['linked-one', 'linked-two'])
    await page.goForward()
    await page.goForward()
    await page.getByText('No users match.').waitFor()
    await page.reload()
    await page.getByText('No users match.').waitFor()
    expect(await page.getByLabel('State').inputValue()).toBe('banned')
    expect(await page.getByRole('searchbox', { name: 'Find a user…' }).inputValue()).toBe('linked-')

    await page.goto('/admin/models?provider=deepseek&enabled=true')
    await page.getByRole('heading', { name: 'DeepSeek', level: 2 }).waitFor()
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['DeepSeek'])
    expect(await page.getByLabel('Provider', { exact: true }).inputValue()).toBe('deepseek')
    await page.goto('/admin/audit?action=user.&from=2020-01-01&to=2020-01-02')
    await page.getByText('No entries match.').waitFor()
    expect(await page.getByLabel('From').inputValue()).toBe('2020-01-01')
    await page.goto('/admin/keys?tier=3&query=nothing-like-it')
    await page.getByText('No matching key found').waitFor()
    expect(await page.getByLabel('Tier', { exact: true }).inputValue()).toBe('3')
  })

  it('gets the data of a section that is opened without waiting for its code', async () => {
    const asked = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/admin/keys')
    await page.route('**/assets/keys-section-*.js', async (route) => {
      await asked
      await route.continue()
    })
    await enter(page, admin, '/admin/plans')
    await page.getByRole('row', { name: /^Plus/ }).waitFor()
    await page.getByRole('link', { name: 'API keys', exact: true }).press('Enter')
    await asked
    await page.getByRole('button', { name: 'Reset usage for all keys' }).waitFor()
  })

  it('turns the pages of a list by cursor, and finds the page again after a reload', async () => {
    const asked: (string | null)[] = []
    const [key] = someAdminKeys
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname === '/api/admin/keys') asked.push(url.searchParams.get('cursor'))
    })
    const keysOf = (label: string, nextCursor: string | null) => ({ json: { keys: [{ ...key, label }], nextCursor } })
    await intercept(page, '/admin/keys?*', () => keysOf('On the second page', null))
    await intercept(page, '/admin/keys', () => keysOf('On the first page', 'second'))
    await enter(page, admin, '/admin/keys')
    await page.getByText('On the first page', { exact: true }).waitFor()
    await button('Next').click()
    await page.getByText('On the second page', { exact: true }).waitFor()
    expect(search().get('page')).toBe('second')
    await page.reload()
    await page.getByText('On the second page', { exact: true }).waitFor()
    expect([asked[0], asked.at(-1)]).toEqual([null, 'second'])
    await button('Previous').click()
    await page.getByText('On the first page', { exact: true }).waitFor()
    expect(search().get('page')).toBe(null)
  })

  it('gets exactly the rows that match the filters as CSV', async () => {
    for (const name of ['listed-one', 'listed-two', 'left-out']) await registerPerson(on.system, name)
    await enter(page, admin, '/admin/users?query=listed-&sort=username&order=asc')
    await page.getByRole('row', { name: /listed-two@/ }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button('Download the filtered rows as CSV').click(),
    ])
    expect(download.suggestedFilename()).toBe('users.csv')
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines.slice(1).map((line) => /listed-\w+/.exec(line)?.[0])).toEqual(['listed-one', 'listed-two'])
  })

  it('acts once by a double click', async () => {
    const name = 'Clicked twice'
    const { id } = await registerPerson(on.system, 'clicked-twice')
    await enter(page, admin, '/admin/plans')
    await button('New plan').click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await inDialog('Create plan').dblclick()
    await said('Plan created')
    const { plans } = (await admin.api.get('/api/admin/plans')).body as { plans: { name: string }[] }
    expect(plans.filter((plan) => plan.name === name)).toHaveLength(1)
    await page.goto('/admin/users?query=clicked-twice')
    const before = await creditsOf(id)
    await choose('clicked-twice', 'Grant credits…')
    await page.getByLabel('Credits', { exact: true }).fill('7')
    await inDialog('Grant credits').dblclick()
    await said('7 credits granted')
    expect(await creditsOf(id)).toBe(before + 7)
  })
  const creditsOf = async (id: string): Promise<number> => {
    const { user } = (await admin.api.get(`/api/admin/users/${id}`)).body as {
      user: { credits: { remaining: number } }
    }
    return user.credits.remaining
  }

  it('who loses the rights meanwhile is refused with the reason, and sent home once the page hears of it', async () => {
    const { id } = await registerPerson(on.system, 'once-admin')
    const rights = (isAdmin: boolean) => admin.api.patch(`/api/admin/users/${id}`, { isAdmin })
    await rights(true)
    const { body } = await admin.api.post('/api/auth/login', {
      identifier: 'once-admin',
      password: 'correct horse battery',
    })
    const { token, user } = body as Person
    const demoted = { ...admin, id, token, user }
    const visitor = await newVisitor(on.browser, on.system.url)
    try {
      // Without live connections the page does not hear of it, once it has loaded the profile.
      await visitor.page.routeWebSocket(/socket\.io/, (socket) => socket.close())
      const profile = visitor.page.waitForResponse(/\/api\/user\/profile$/)
      await enter(visitor.page, demoted, '/admin/plans')
      await profile
      const options = visitor.page.getByRole('button', { name: 'Options for Plus', exact: true })
      await options.waitFor()
      await rights(false)
      await options.press('Enter')
      await visitor.page.getByRole('menuitem', { name: 'Set as default' }).press('Enter')
      const reason = 'You do not have permission to access the admin panel'
      await visitor.page
        .getByRole('region', { name: /^Notifications/ })
        .getByText(`Failed to set default plan: ${reason}`)
        .waitFor()
    } finally {
      await visitor.context.close()
    }
    await rights(true)
    const connected = connectedLive(page)
    await enter(page, demoted, '/admin/plans')
    await connected
    await button('Options for Plus').waitFor()
    await rights(false)
    await said('You do not have permission to access the admin panel')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  })

  it('orders fallback models by Alt and an arrow key, which keeps the focus, and saves that order', async () => {
    const ids = ['google/work-a', 'google/work-b', 'google/work-c'] as const
    await makeModels(...ids)
    await admin.api.patch(`/api/admin/models/${encodeURIComponent(ids[0])}`, { fallbackModels: ids.slice(1) })
    await enter(page, admin, `/admin/models/${encodeURIComponent(ids[0])}`)
    const first = page.getByRole('button', { name: /^1\s*google\/work-/ })
    await first.press('Alt+ArrowDown')
    await toHaveFocus(page.getByRole('button', { name: /^2\s*google\/work-b/ }))
    await page
      .getByRole('status')
      .getByText(/work-b/)
      .waitFor({ state: 'attached' })
    await button('Save model').press('Enter')
    await said('Model updated')
    expect((await modelOf(ids[0]))?.fallbackModels).toEqual([ids[2], ids[1]])
    await removeModels(...ids)
  })

  it('orders fallback models by dragging one with the mouse, and saves that order', async () => {
    const ids = ['google/drag-a', 'google/drag-b', 'google/drag-c', 'google/drag-d'] as const
    await makeModels(...ids)
    await admin.api.patch(`/api/admin/models/${encodeURIComponent(ids[0])}`, { fallbackModels: ids.slice(1) })
    await enter(page, admin, `/admin/models/${encodeURIComponent(ids[0])}`)
    const entry = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await entry('google/drag-d').locator('svg').first().dragTo(entry('google/drag-b'))
    await page.getByRole('button', { name: /^1\s*google\/drag-d/ }).waitFor()
    await button('Save model').click()
    await said('Model updated')
    expect((await modelOf(ids[0]))?.fallbackModels).toEqual([ids[3], ids[1], ids[2]])
    await removeModels(...ids)
  })

  it('changes a setting and takes it back on plain HTTP, where browsers offer less', async () => {
    await page.addInitScript(() => {
      for (const name of ['randomUUID', 'subtle']) Object.defineProperty(crypto, name, { value: undefined })
    })
    await enter(page, admin, '/admin/settings')
    const titles = page.getByRole('switch', { name: 'Title chats with a model' })
    const before = await titles.isChecked()
    await titles.press('Space')
    await said('Settings updated')
    await button('Undo').press('Enter')
    await said('Undone')
    await expect.poll(() => titles.isChecked()).toBe(before)
  })

  it('has another code mailed to a user who has not confirmed the address, and is told when that is too soon', async () => {
    const email = 'unconfirmed-one@parley.test'
    await registerPerson(on.system, 'unconfirmed-one')
    await enter(page, admin, '/admin/users?query=unconfirmed-one')
    await choose('unconfirmed-one', 'Resend verification')
    await said(`A new code was sent to ${email}`)
    expect(await codeFor(on.system, email)).toMatch(/^\d{6}$/)
    await choose('unconfirmed-one', 'Resend verification')
    await toasts().getByText('A code was sent less than a minute ago').first().waitFor()
  })

  it('disables all models of a provider with their number on the button, and takes it back', async () => {
    const ids = ['google/undone-a', 'google/undone-b'] as const
    await makeModels(...ids)
    const { models } = (await admin.api.get('/api/admin/models?provider=google')).body as { models: Model[] }
    const enabled = models.filter((model) => model.enabled)
    await enter(page, admin, '/admin/models?provider=google')
    const name = `Disable ${enabled.length}`
    await page.getByRole('region', { name: 'Google' }).getByRole('button', { name, exact: true }).press('Enter')
    await inDialog(name).press('Enter')
    await said(`Model status updated (${enabled.length})`)
    expect((await modelOf(ids[1]))?.enabled).toBe(false)
    await button('Undo').press('Enter')
    await said('Undone')
    const after = (await admin.api.get('/api/admin/models?provider=google')).body as { models: Model[] }
    expect(after.models.filter((model) => model.enabled).map(({ id }) => id)).toEqual(enabled.map(({ id }) => id))
    await removeModels(...ids)
  })

  it('disables a second model whose switch is pressed while the first is being disabled', async () => {
    await makeModels('first-switched', 'second-switched')
    await enter(page, admin, '/admin/models?query=switched')
    const released = Promise.withResolvers<'continue'>()
    await intercept(page, '/admin/models/*-switched', () => released.promise)
    for (const id of ['first-switched', 'second-switched'])
      await page.getByRole('switch', { name: `${id} is enabled` }).press(' ')
    released.resolve('continue')
    for (const id of ['first-switched', 'second-switched'])
      await expect.poll(async () => (await modelOf(id))?.enabled).toBe(false)
    await removeModels('first-switched', 'second-switched')
  })

  it('selects a range with Shift and the mouse, and acts on it without the rows deselected since', async () => {
    for (const name of ['shifted-1', 'shifted-2', 'shifted-3', 'shifted-4']) await registerPerson(on.system, name)
    await enter(page, admin, '/admin/users?query=shifted-&sort=username&order=asc')
    await page.getByLabel('Select shifted-2').click()
    await page.getByLabel('Select shifted-4').click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').waitFor()
    await page.getByLabel('Select shifted-3').click()
    await page.getByText('2 selected').waitFor()
    await button('Grant credits to 2').press('Enter')
    await page.getByLabel('Credits', { exact: true }).fill('3')
    await inDialog('Grant credits').press('Enter')
    await page.getByText('2 selected').waitFor({ state: 'detached' })
    const { users } = (await admin.api.get('/api/admin/users?query=shifted-&sort=username&order=asc')).body as {
      users: { credits: { remaining: number; monthly: number } }[]
    }
    const granted = users.map(({ credits }) => credits.remaining - credits.monthly)
    expect(granted).toEqual([0, 3, 0, 3])
  })

  it('on a phone opens sections from a drawer, which closes, and reads rows as cards', async ({ task }) => {
    await registerPerson(on.system, 'carded-one')
    const visitor = await newVisitor(on.browser, on.system.url, { size: 'phone' })
    const phone = visitor.page
    await enter(phone, admin, '/admin')
    await phone.getByText('Total users').waitFor()
    const link = phone.getByRole('link', { name: 'Users', exact: true })
    expect(await link.isVisible()).toBe(false)
    await phone.getByRole('button', { name: 'Open sidebar' }).tap()
    await link.tap()
    await phone.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    await link.waitFor({ state: 'hidden' })
    await phone.getByRole('searchbox', { name: 'Find a user…' }).fill('carded-one')
    const card = phone.getByRole('row', { name: /carded-one@/ })
    await expect.poll(() => phone.locator('[data-row]').count()).toBe(1)
    await card.getByText('Credits left').waitFor()
    const { width } = (await card.boundingBox()) ?? { width: 0 }
    expect(width).toBeLessThan(390)
    await phone.getByLabel('Select carded-one').tap()
    await phone.getByRole('button', { name: 'Ban 1', exact: true }).tap()
    await phone.getByRole('dialog').getByRole('button', { name: 'Ban', exact: true }).tap()
    await phone.getByText('User banned').first().waitFor()
    await endVisit(visitor, task)
  })
})

/** Runs in the page: leaves it to push events to refresh what is shown. */
function stopRefreshing(refreshes: number): void {
  const own = setInterval
  Object.assign(globalThis, {
    setInterval: (act: () => void, ms: number) => (ms === refreshes ? 0 : own(act, ms)),
  })
}
