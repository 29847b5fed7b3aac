import { randomUUID } from 'node:crypto'
import type { AdminSettings, Model } from '@parley/contracts'
import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { tabTo, toHaveFocus } from '../src/keyboard.ts'
import { adminPerson, enter, type Person, registerPerson } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

describe('an admin with a keyboard alone', () => {
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

  const press = async (target: Locator, key = 'Enter'): Promise<void> => {
    await tabTo(page, target)
    await page.keyboard.press(key)
  }
  const write = async (label: string, text: string, within: Pick<Page, 'getByLabel'> = page): Promise<void> => {
    await press(within.getByLabel(label, { exact: true }), 'ControlOrMeta+A')
    await page.keyboard.type(text)
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
  const section = async (name: string): Promise<void> => {
    await press(page.getByRole('link', { name, exact: true }))
    await page.getByRole('heading', { name, level: 1 }).waitFor()
  }
  const said = (text: string) =>
    page
      .getByRole('region', { name: /^Notifications/ })
      .getByText(text)
      .first()
      .waitFor()
  /** Opens the menu of a row and moves down to one of its items. */
  const choose = async (row: string, action: string): Promise<void> => {
    await press(button(`Options for ${row}`))
    const item = page.getByRole('menuitem', { name: action, exact: true })
    await item.waitFor()
    while (!(await item.evaluate((one) => one.matches(':focus')))) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }

  it('adds and tests a model of another provider, assigns a plan with it to a user, changes a limit, and undoes a ban', async () => {
    // Unique, also when the test is retried.
    const mark = randomUUID().slice(0, 6)
    const user = `keyed-${mark}`
    const planName = `Keyed plan ${mark}`
    await registerPerson(on.system, user)
    await enter(page, admin, '/admin')
    await page.getByText('Total users').waitFor()

    await section('Models')
    await press(button('New model'))
    await write('ID', `google/keyed-${mark}`)
    await write('Name', 'Keyed model')
    await write('Group', 'Keyed')
    const provider = page.getByRole('combobox', { name: 'Provider' })
    await tabTo(page, provider)
    await page.keyboard.type('Google')
    await expect.poll(() => provider.inputValue()).toBe('google')
    await press(button('Test connection'))
    await page.getByText(/^Answered in [\d,]+ ms$/).waitFor()
    await press(button('Create model'))
    await said('Model created')
    const { models } = (await admin.api.get(`/api/admin/models?query=google/keyed-${mark}`)).body as { models: Model[] }
    expect(models).toMatchObject([{ name: 'Keyed model', provider: 'google', enabled: true }])

    await section('Plans')
    await press(button('New plan'))
    await write('Name', planName)
    await page.keyboard.press('Enter')
    await said('Plan created')

    await section('Users')
    await press(page.getByRole('searchbox', { name: 'Find a user…' }), 'ControlOrMeta+A')
    await page.keyboard.type(user)
    await page.waitForURL(new RegExp(`query=${user}`))
    const row = page.getByRole('row', { name: new RegExp(`${user}@`) })
    await row.waitFor()
    await choose(user, 'Assign plan…')
    const plan = page.getByRole('dialog').getByLabel('Plan')
    await tabTo(page, plan)
    await page.keyboard.type(planName)
    await press(inDialog('Assign plan'))
    await said('Plan assigned')
    await row.getByText(planName).waitFor()

    await section('Limits')
    const form = page.getByRole('form', { name: 'Web', exact: true })
    const saved = async () =>
      ((await admin.api.get('/api/admin/settings')).body as AdminSettings).rateLimits.web.maxRequests
    // A second try finds what the first one saved.
    const most = (await saved()) === 4321 ? 4322 : 4321
    await write('Max requests', String(most), form)
    await press(form.getByRole('button', { name: 'Save' }))
    await said('Rate limits updated')
    expect(await saved()).toBe(most)

    await section('Users')
    await press(page.getByRole('searchbox', { name: 'Find a user…' }), 'ControlOrMeta+A')
    await page.keyboard.type(user)
    await page.waitForURL(new RegExp(`query=${user}`))
    await choose(user, 'Ban…')
    await press(inDialog('Ban'))
    await said('User banned')
    await row.getByText('Banned').waitFor()
    await toHaveFocus(button(`Options for ${user}`))

    await section('Audit log')
    await press(page.locator('[data-row]').first())
    await press(inDialog('Undo'))
    await said('Undone')
    const { users } = (await admin.api.get(`/api/admin/users?query=${user}`)).body as {
      users: { banned: boolean }[]
    }
    expect(users).toMatchObject([{ banned: false, plan: { name: planName } }])
  })
})
