import type { AdminSettings } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { intercept } from '../src/intercept.ts'
import { adminPerson, enter, type Person } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

describe('the settings', () => {
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

  const settings = async () => (await admin.api.get('/api/admin/settings')).body as AdminSettings
  const config = async () => (await fetch(`${on.system.url}/api/auth/config`)).json()
  const toggle = async (name: string) => {
    const control = page.getByRole('switch', { name, exact: true })
    const before = await control.getAttribute('aria-checked')
    await expect.poll(() => control.isEnabled()).toBe(true)
    await control.press('Enter')
    await expect.poll(() => control.getAttribute('aria-checked')).not.toBe(before)
  }
  const save = async (name: string, value: string) => {
    const field = page.getByRole('textbox', { name, exact: true })
    await field.fill(value)
    const button = page.locator('form').filter({ has: field }).getByRole('button', { name: 'Save', exact: true })
    // It is disabled while another setting is being saved.
    await expect.poll(() => button.isEnabled()).toBe(true)
    await button.press('Enter')
    await expect.poll(() => button.isDisabled()).toBe(true)
  }

  it('close registration and guest mode, set the weekly limit, the credit warning, the export cooldown and the prompt, at once', async () => {
    await enter(page, admin, '/admin/settings')
    await toggle('Local registration')
    await save('Credit warning', '65')
    await save('Data export cooldown', '1')
    await save('System prompt', 'Answer in one sentence.')
    await expect.poll(settings).toMatchObject({
      ...{ registration: { local: false }, creditWarningThreshold: 65, dataExportCooldownMinutes: 1 },
      systemPrompt: 'Answer in one sentence.',
    })
    await expect.poll(config).toMatchObject({ registration: { local: false } })
    await page.getByRole('button', { name: 'Use built-in default' }).press('Enter')
    await page.getByText('Built-in default, used while this is empty').waitFor()
    await save('System prompt', '')
    await expect.poll(settings).toMatchObject({ systemPrompt: '' })

    await page.getByRole('link', { name: 'Limits', exact: true }).press('Enter')
    await save('Messages per week', '7')
    await toggle('Guest mode')
    await expect.poll(async () => (await settings()).guest).toEqual({ enabled: false, weeklyLimit: 7 })
  })

  it('save a second switch that is pressed while the first is being saved', async () => {
    const { registration, chatTitles } = await settings()
    await enter(page, admin, '/admin/settings')
    const released = Promise.withResolvers<'continue'>()
    await intercept(page, '/admin/settings', ({ method }) => (method === 'PATCH' ? released.promise : 'continue'))
    await page.getByRole('switch', { name: 'Single sign-on registration', exact: true }).press('Enter')
    await page.getByRole('switch', { name: 'Title chats with a model', exact: true }).press('Enter')
    released.resolve('continue')
    await expect.poll(settings).toMatchObject({ registration: { oauth: !registration.oauth }, chatTitles: !chatTitles })
  })

  it('refuse values out of bounds at their fields, and change nothing', async () => {
    const before = await settings()
    await enter(page, admin, '/admin/settings')
    for (const [name, value, least] of [
      ['Data export cooldown', '0', '1'],
      ['Credit warning', '101', '1'],
    ] as const) {
      const field = page.getByLabel(name, { exact: true })
      await field.fill(value)
      await field.press('Enter')
      await page
        .getByText(new RegExp(`^Enter a whole number from ${least} to `))
        .first()
        .waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('true')
    }
    expect(await settings()).toEqual(before)
  })
})
