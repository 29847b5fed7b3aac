import { createKeySecret } from '@parley/kit'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { intercept, stopIntercepting } from '../src/intercept.ts'
import { adminPerson, enter, type Person, registerPerson } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

describe('the administration reports', () => {
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

  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().press('Enter')
  const inDialog = (name: string | RegExp) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).press('Enter')
  const section = async (name: string) => {
    await page.getByRole('link', { name, exact: true }).press('Enter')
    await page.getByRole('heading', { name, level: 1 }).waitFor()
  }
  const choose = async (row: string, action: string) => {
    await press(`Options for ${row}`)
    await page.locator('[role^="menuitem"]', { hasText: action }).press('Enter')
  }
  const toasts = () => page.getByRole('region', { name: /^Notifications/ })
  const said = (text: string) => toasts().getByText(text, { exact: true }).first().waitFor()
  /** Expects the text in the dialog, and closes it. */
  const explained = async (text: string) => {
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('alert').getByText(text, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  const refuseActs = (status: number, error: string, code: string) =>
    intercept(page, '/admin/**', ({ method }) =>
      method === 'GET' ? 'continue' : { status, json: { error, code, requestId: 'r' } },
    )

  it('each failed act on users, keys, plans and settings in its own words', async () => {
    const { api } = await registerPerson(on.system, 'in-words')
    await api.post('/api/user/keys', { label: 'Worded report' })
    await enter(page, admin, '/admin/users?query=in-words')
    await refuseActs(503, 'Out of service', 'unavailable')
    await choose('in-words', 'Make admin')
    await said('Failed to update user: Out of service')
    await choose('in-words', 'Grant 10 credits')
    await said('Failed to grant credits: Out of service')

    await section('API keys')
    await choose('Worded report', 'Standard')
    await said('Failed to update tier: Out of service')

    await section('Plans')
    await choose('Plus', 'Set as default')
    await said('Failed to set default plan: Out of service')
    await choose('Plus', 'Delete plan')
    await page.getByRole('dialog', { name: 'Delete this plan?' }).waitFor()
    await inDialog('Delete plan')
    await explained('Failed to delete plan: Out of service')
    await choose('Plus', 'Edit')
    await inDialog('Save plan')
    await explained('Failed to save plan: Out of service')

    await section('Limits')
    const web = page.getByRole('form', { name: 'Web', exact: true })
    await web.getByLabel('Max requests').fill('77')
    await web.getByLabel('Max requests').press('Enter')
    await said('Failed to update rate limits: Out of service')
    await page.getByRole('switch', { name: 'Guest mode' }).press(' ')
    await said('Failed to update settings: Out of service')

    await section('Settings')
    await press('Clear cache')
    await inDialog('Clear cache')
    await explained('Failed to clear cache: Out of service')
  })

  it('each failed act on models in its own words', async () => {
    const models = ['openai/worded-one', 'openai/worded-two']
    for (const id of models)
      await admin.api.post('/api/admin/models', { id, name: id, provider: 'openai', group: 'Worded' })
    await enter(page, admin, '/admin/models?query=worded')
    await refuseActs(503, 'Out of service', 'unavailable')
    await page.getByRole('switch', { name: 'openai/worded-one is enabled' }).press(' ')
    await said('Failed to toggle status of a model: Out of service')
    for (const id of models) await page.getByLabel(`Select ${id}`).check()
    await press('Disable 2')
    await said('Failed to update model access: Out of service')
    await press('Disable all')
    await inDialog(/^Disable \d+$/)
    await explained('Failed to toggle models: Out of service')
    await choose('openai/worded-one', 'Delete model')
    await page.getByLabel('Type openai/worded-one to confirm').fill('openai/worded-one')
    await inDialog('Delete model')
    await explained('Failed to delete a model: Out of service')

    await stopIntercepting(page)
    await admin.api.delete(`/api/admin/models/${encodeURIComponent('openai/worded-two')}`)
    await refuseActs(404, 'Model not found', 'not_found')
    await page.getByRole('switch', { name: 'openai/worded-one is enabled' }).press(' ')
    await said('Model not found, refresh and retry')
    await choose('openai/worded-one', 'Delete model')
    await page.getByLabel('Type openai/worded-one to confirm').fill('openai/worded-one')
    await inDialog('Delete model')
    await explained('Failed to delete a model: it may already be deleted')
    await stopIntercepting(page)
    await admin.api.delete(`/api/admin/models/${encodeURIComponent('openai/worded-one')}`)
  })

  it('each act that succeeded in its own words', async () => {
    const { api, id } = await registerPerson(on.system, 'done-in-words')
    await api.post('/api/user/keys', { label: 'Done report' })
    await admin.api.patch(`/api/admin/users/${id}`, { banned: true })
    await enter(page, admin, '/admin/users?query=done-in-words')
    await choose('done-in-words', 'Unban')
    await said('User unbanned')
    await choose('done-in-words', 'Make admin')
    await said('done-in-words is now an admin')
    await choose('done-in-words', 'Remove admin')
    await said('done-in-words is no longer an admin')

    await section('API keys')
    await choose('Done report', 'Standard')
    await said('Key tier updated')
    await press('Reset usage for all keys')
    await inDialog('Reset usage for all keys')
    await said('Usage reset for all keys')
    await page.getByLabel('Secret', { exact: true }).fill(createKeySecret())
    await page.getByLabel('Secret', { exact: true }).press('Enter')
    await page.getByText('Verified but no matching record in the list.').waitFor()

    await section('Plans')
    for (const plan of ['Plus', 'Free']) {
      await choose(plan, 'Set as default')
      await said('Default plan set')
      await page.getByRole('row', { name: new RegExp(`^${plan}.*Default`) }).waitFor()
    }

    await section('Settings')
    await press('Clear cache')
    await inDialog('Clear cache')
    await said('Cache cleared')
  })

  it('the numbers of users with what the last week added, and answers by web and API', async () => {
    await registerPerson(on.system, 'counted-in-words')
    const { stats } = (await admin.api.get('/api/admin/stats')).body as {
      stats: { totalUsers: number; newUsers: number }
    }
    const today = new Date().toISOString().slice(0, 10)
    const used = { requests: 30, keyRequests: 12, inputTokens: 9, outputTokens: 9, credits: 40, keyCredits: 15 }
    const item = { ...used, estimated: false, errors: 0, averageResponseMs: 900, days: [] }
    await intercept(page, '/admin/usage?by=day*', () => ({
      json: { items: [{ id: today, ...item }], nextCursor: null },
    }))
    await enter(page, admin, '/admin')
    await page.getByText(`+${stats.newUsers} in 7 days`, { exact: true }).waitFor()
    const panel = page.getByRole('region', { name: 'Usage in the last 30 days' })
    await panel.getByRole('img', { name: /^Credits by day/ }).waitFor()
    expect(await panel.getByRole('listitem').allTextContents()).toEqual(['Web', 'API'])
    await panel.getByText('Table', { exact: true }).click()
    const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date())
    const row = panel.getByRole('row', { name: new RegExp(`^${day}\\b`) })
    await row.waitFor()
    expect((await row.getByRole('cell').allTextContents()).slice(0, 4)).toEqual([
      ...['Answers30', 'Answers (API)12', 'Credits40', 'Credits (API)15'],
    ])
  })

  it('the UTC day on which the books differ, also to an admin west of Greenwich', async () => {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'America/Los_Angeles' })
    const alarms = [{ date: '2026-01-05', kind: 'ledger', expected: 144, found: 139, at: '2026-01-06T04:00:00.000Z' }]
    await intercept(page, '/admin/money?*', () => ({ json: { days: [], alarms } }))
    await enter(page, admin, '/admin')
    await page.getByText(/don’t match on January 5/).waitFor()
    await section('Money')
    await page.getByText(/^January 5/).waitFor()
  })

  it('a model that could not be created, updated or toggled, and its faulty fields, in their own words', async () => {
    const id = 'google/worded-form'
    await admin.api.post('/api/admin/models', { id, name: id, provider: 'google', group: 'Worded' })
    const details = [{ path: 'contextLength', message: 'Must be at least 1' }]
    const faulty = { error: 'Invalid model data', code: 'invalid_model_data', requestId: 'r', details }
    const alert = page.getByRole('form').getByRole('alert')
    await enter(page, admin, '/admin/models')
    await press('New model')
    await refuseActs(503, 'Out of service', 'unavailable')
    await page.getByLabel('ID', { exact: true }).fill('google/worded-new')
    await page.getByLabel('Name', { exact: true }).fill('Worded')
    await page.getByLabel('Group', { exact: true }).fill('Worded')
    await press('Create model')
    await alert.getByText('Failed to create a model: Out of service', { exact: true }).waitFor()
    await intercept(page, '/admin/models', ({ method }) =>
      method === 'POST' ? { status: 422, json: faulty } : 'continue',
    )
    await press('Create model')
    await alert.getByText('Failed to create a model: Invalid model data', { exact: true }).waitFor()
    await page.getByText('Must be at least 1', { exact: true }).waitFor()
    await press('Cancel')
    await choose(id, 'Edit')
    await press('Save model')
    await alert.getByText('Failed to update a model: Out of service', { exact: true }).waitFor()
    await press('Cancel')
    await page
      .getByRole('region', { name: 'Google' })
      .getByRole('button', { name: /^Disable \d+$/ })
      .press('Enter')
    await inDialog(/^Disable \d+$/)
    await explained('Failed to toggle models of the provider: Out of service')
    await stopIntercepting(page)
    await choose(id, 'Edit')
    await page.getByLabel('Name', { exact: true }).fill('Worded anew')
    await page.getByLabel('API endpoint', { exact: true }).fill('ftp://models.parley.test')
    await press('Save model')
    await page.getByText('Enter an address that starts with https:// or http://', { exact: true }).waitFor()
    await page.getByLabel('API endpoint', { exact: true }).fill('')
    await press('Save model')
    await said('Model updated')
    await admin.api.delete(`/api/admin/models/${encodeURIComponent(id)}`)
  })

  it('each section that could not be loaded in its own words, and the age of the values that it shows', async () => {
    const failures = {
      users: 'Failed to load admin data',
      models: 'Failed to load models from the database',
      plans: 'Failed to load plans',
      keys: 'Failed to load keys',
      limits: 'Failed to load admin data',
    }
    await enter(page, admin, '/admin/plans')
    await page.getByRole('row', { name: /^Plus/ }).waitFor()
    const away = { status: 503, json: { error: 'Out of service', code: 'unavailable', requestId: 'r' } }
    await intercept(page, '/admin/**', () => away)
    await press('Refresh')
    const alert = page.getByRole('alert')
    await alert.getByText(/^Failed to load plans: Out of service · showing data from .+, read-only$/).waitFor()
    expect(await page.getByRole('row', { name: /^Plus/ }).count()).toBe(1)
    for (const [name, failure] of Object.entries(failures)) {
      await page.goto(`/admin/${name}`)
      await alert.getByText(`${failure}: Out of service`, { exact: true }).first().waitFor()
    }
  })

  it.each([
    ['an act is refused to a session that goes on', 200, 'Authentication failed, log in again'],
    ['a session has ended', 401, 'You must be logged in to access the admin panel'],
  ])('the need to sign in again, when %s', async (_where, status, text) => {
    await enter(page, admin, '/admin/plans')
    await page.getByRole('row', { name: /^Plus/ }).waitFor()
    const refused = { error: 'Unauthorized', code: 'unauthenticated', requestId: 'r' }
    await intercept(page, '/admin/plans/**', () => ({ status: 401, json: refused }))
    const renewed = { token: admin.token, user: admin.user }
    await intercept(page, '/auth/refresh', () => ({ status, json: status === 200 ? renewed : refused }))
    await choose('Plus', 'Set as default')
    await said(text)
  })

  it('a section whose code did not come at first is opened all the same', async () => {
    let refused = 0
    // Once while the page is idle, and once when it is opened.
    await page.route('**/assets/money-section-*.js', (route) => {
      if (refused === 2) return route.continue()
      refused += 1
      return route.abort()
    })
    await enter(page, admin, '/admin/plans')
    await page.getByRole('row', { name: /^Plus/ }).waitFor()
    await section('Money')
    await page.getByRole('heading', { name: 'Alarms', level: 2 }).waitFor()
    expect(refused).toBe(2)
  })
})
