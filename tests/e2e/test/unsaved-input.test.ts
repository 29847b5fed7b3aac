import type { AdminPlan, AdminSettings } from '@parley/contracts'
import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { toHaveFocus } from '../src/keyboard.ts'
import { adminPerson, attachmentsOf, composer, enter, hear, type Person, registerPerson, say } from '../src/people.ts'
import { samplePng } from '../src/sample-files.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

describe('unsaved input', () => {
  let on: SharedSystem
  let page: Page
  let admin: Person
  let people = 0

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
    admin = await adminPerson(on.system)
  })
  it.beforeEach(({ visitor }) => {
    page = visitor.page
    on.provider.reset()
  })

  const arrive = async (path?: string): Promise<Person> => {
    people += 1
    const person = await registerPerson(on.system, `unsaved${people}`)
    await enter(page, person, path)
    return person
  }
  const field = (name: string) => page.getByLabel(name, { exact: true })
  /** Presses the mouse in one place and releases it beside the dialog. */
  const dragOut = async (from: Locator) => {
    const box = await from.boundingBox()
    if (!box) throw new Error('nothing to drag')
    await page.mouse.move(box.x + 20, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(10, box.y, { steps: 4 })
    await page.mouse.up()
  }

  it('of a name stays when the keyboard skips to the content of the page', async () => {
    await arrive('/profile')
    await field('Display name').fill('Ada')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await skip.focus()
    await skip.press('Enter')
    await toHaveFocus(page.getByRole('main'))
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await field('Display name').inputValue()).toBe('Ada')
  })

  it('of a name is discarded on request for a link to a place on another page', async () => {
    await arrive('/profile')
    await field('Display name').fill('Ada')
    const link = '<a href="/privacy#request">Deep</a>'
    await page.getByRole('main').evaluate((main, html) => main.insertAdjacentHTML('beforeend', html), link)
    await page.getByRole('link', { name: 'Deep' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/privacy#request')
  })

  it('of a name is asked about before the account menu leads elsewhere', async () => {
    await arrive('/profile')
    await field('Display name').fill('Ada')
    const choosePrivacy = async () => {
      await page.getByRole('button', { name: `unsaved${people}` }).press('Enter')
      await page.getByRole('menuitem', { name: 'Privacy' }).press('Enter')
    }
    await choosePrivacy()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(await field('Display name').inputValue()).toBe('Ada')
    expect(new URL(page.url()).pathname).toBe('/profile')
    await choosePrivacy()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/privacy')
  })

  it('in a dialog survives a selection that ends outside, which only a click outside closes', async () => {
    await arrive('/profile/keys')
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').first().fill('Key of the nightly job')
    await dragOut(dialog.getByRole('textbox').first())
    expect(await dialog.getByRole('textbox').first().inputValue()).toBe('Key of the nightly job')
    await page.mouse.click(10, 10)
    await dialog.waitFor({ state: 'detached' })
  })

  it('of a memory survives Escape that cancels a conversion of characters', async () => {
    await arrive()
    await composer(page).fill('/memories')
    await composer(page).press('Enter')
    const panel = page.getByRole('dialog', { name: 'Memory' })
    await panel.getByRole('button', { name: 'Add memory' }).first().click()
    const text = panel.getByRole('textbox', { name: 'What to remember' })
    await text.fill('ねこ')
    await text.dispatchEvent('keydown', { key: 'Escape', isComposing: true })
    expect(await text.inputValue()).toBe('ねこ')
    await text.press('Escape')
    await text.waitFor({ state: 'detached' })
  })

  it('of a file that is being uploaded survives a visit to the settings, and is sent', async () => {
    await arrive()
    const upload = Promise.withResolvers<void>()
    await page.route('**/api/chat/files', async (route) => {
      await upload.promise
      await route.continue()
    })
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([samplePng('slow.png')])
    await attachmentsOf(page).getByText('slow.png').waitFor()
    await page.getByRole('button', { name: /Free plan$/ }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await page.waitForURL('**/profile**')
    await page.goBack()
    await attachmentsOf(page).getByText('slow.png').waitFor()
    upload.resolve()
    await page.getByRole('button', { name: 'Remove slow.png' }).waitFor()
  })

  it('written since a repeated message was held back stays when that is sent anyway', async () => {
    await arrive()
    await say(page, 'Once more')
    await hear(page, 'You said: Once more')
    await composer(page).fill('Once more')
    await composer(page).press('Enter')
    const anyway = page.getByRole('button', { name: 'Send anyway' })
    await anyway.waitFor()
    await composer(page).fill('Once more, and another thought')
    await anyway.click()
    await expect.poll(() => on.provider.calls.length).toBe(2)
    expect(await composer(page).inputValue()).toBe('Once more, and another thought')
    await hear(page, 'You said: Once more')

    await composer(page).fill('Once more')
    await composer(page).press('Enter')
    await anyway.waitFor()
    await page.getByRole('link', { name: 'New chat' }).click()
    await anyway.waitFor({ state: 'detached' })
  })

  it('of a plan is restored after a reload, says so, and does not overwrite what another admin saved since', async () => {
    const plan = async () => {
      const { plans } = (await admin.api.get('/api/admin/plans')).body as { plans: AdminPlan[] }
      return plans.find(({ id }) => id === 'free') as AdminPlan
    }
    const before = await plan()
    await enter(page, admin, '/admin/plans')
    const open = () => page.getByRole('button', { name: 'Free', exact: true }).click()
    await open()
    await field('Description').fill('Closed by Escape')
    await page.keyboard.press('Escape')
    await open()
    expect(await field('Description').inputValue()).toBe(before.description)

    await field('Description').fill('Not saved yet')
    await page.reload()
    await open()
    await page.getByText('These are your unsaved changes from earlier.').waitFor()
    expect(await field('Description').inputValue()).toBe('Not saved yet')
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(await field('Description').inputValue()).toBe(before.description)

    await field('Description').fill('Not saved yet')
    await page.reload()
    await admin.api.patch('/api/admin/plans/free', { monthlyCredits: before.monthlyCredits + 5 })
    await open()
    await page.getByRole('alert').filter({ hasText: 'Another admin changed this in the meantime' }).waitFor()
    await page.getByRole('button', { name: 'Take theirs' }).click()
    expect(await field('Description').inputValue()).toBe(before.description)
    expect((await plan()).monthlyCredits).toBe(before.monthlyCredits + 5)
    await admin.api.patch('/api/admin/plans/free', { monthlyCredits: before.monthlyCredits })
  })

  it('of the system prompt and of a limit survives a visit to another section and a reload, which says so', async () => {
    await enter(page, admin, '/admin/settings')
    const section = async (name: string) => {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    const prompt = () => page.getByRole('textbox', { name: 'System prompt' })
    await prompt().fill('A long prompt that nobody wants to write twice')
    await section('Models')
    await section('Settings')
    expect(await prompt().inputValue()).toBe('A long prompt that nobody wants to write twice')
    await page.reload()
    expect(await prompt().inputValue()).toBe('A long prompt that nobody wants to write twice')
    await section('Limits')
    await field('Messages per week').fill('77')
    await section('Settings')
    await section('Limits')
    expect(await field('Messages per week').inputValue()).toBe('77')
    const restored = page.getByText('These are your unsaved changes from earlier.')
    await restored.waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await restored.waitFor({ state: 'detached' })
    expect(await field('Messages per week').inputValue()).not.toBe('77')
    await toHaveFocus(field('Messages per week'))
    const { systemPrompt } = (await admin.api.get('/api/admin/settings')).body as AdminSettings
    expect(systemPrompt).toBe('')
  })
})
