import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { intercept, stopIntercepting } from '../src/intercept.ts'
import { toHaveFocus } from '../src/keyboard.ts'
import { answers, composer, enter, hear, registerPerson, say } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

describe('API keys and usage in the settings', () => {
  let on: SharedSystem
  let page: Page
  let people = 0

  it.beforeAll(async ({ shared }) => {
    on = shared
    // One answer out of the free plan's hundred credits triggers the warning.
    await shared.begin({ emailVerificationRequired: false, creditWarningThreshold: 1 })
  })
  it.beforeEach(({ visitor }) => {
    on.provider.reset()
    people += 1
    page = visitor.page
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
  const row = (label: string) => page.getByRole('heading', { name: label })
  const arrive = async (path: string) => enter(page, await registerPerson(on.system, `programmer${people}`), path)
  const act = async (label: string, action: string) => {
    await button(`Options for ${label}`).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  const secret = () => page.getByRole('group', { name: /^Secret for/ }).locator('code')

  it('a key is created with its secret shown once and copied, renamed, rotated, and revoked by typing its label', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await arrive('/profile/keys')
    await page.getByText('You have no API keys.').waitFor()
    await button('Create key').click()
    await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Nightly report')
    await inDialog('Create key').click()
    const first = await secret().textContent()
    expect(first).toMatch(/^sk-\S{20,}$/)
    await expect.poll(() => button('Copy secret').evaluate((one) => one.matches(':focus'))).toBe(true)
    await button('Copy secret').press('Enter')
    await page.getByText('Copied', { exact: true }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(first)
    await button('I’ve saved it').click()
    await secret().waitFor({ state: 'detached' })
    await page.reload()
    await row('Nightly report').waitFor()
    expect(await page.getByRole('main').textContent()).not.toContain(first)

    await act('Nightly report', 'Edit')
    await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Weekly report')
    await inDialog('Save').click()
    await row('Weekly report').waitFor()

    await act('Weekly report', 'Rotate')
    await page.getByLabel('no longer').check()
    await inDialog('Rotate').click()
    await secret().waitFor()
    expect(await secret().textContent()).not.toBe(first)
    await button('I’ve saved it').click()

    await act('Weekly report', 'Revoke')
    await page.getByLabel('Type Weekly report to confirm').fill('Nightly report')
    await inDialog('Revoke').click()
    await page.getByText('That’s not this key’s label').waitFor()
    await page.getByLabel('Type Weekly report to confirm').fill('Weekly report')
    await inDialog('Revoke').click()
    await page.getByText('You have no API keys.').waitFor()
    await page.reload()
    await page.getByText('You have no API keys.').waitFor()
  })

  it('a key that could not be rotated or revoked is explained in the dialog, which stays open for a retry', async () => {
    const person = await registerPerson(on.system, `programmer${people}`)
    await person.api.post('/api/user/keys', { label: 'Nightly report' })
    await enter(page, person, '/profile/keys')
    const unavailable = { status: 503, json: { error: 'Out of service', code: 'unavailable', requestId: 'r' } }
    const alert = page.getByRole('dialog').getByRole('alert').getByText('Out of service')
    const actTwice = async (name: string) => {
      await intercept(page, '/user/keys/**', ({ method }) => (method === 'GET' ? 'continue' : unavailable))
      await inDialog(name).click()
      await alert.waitFor()
      await stopIntercepting(page)
      await inDialog(name).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await act('Nightly report', 'Rotate')
    await actTwice('Rotate')
    await act('Nightly report', 'Revoke')
    await page.getByLabel('Type Nightly report to confirm').fill('Nightly report')
    await actTwice('Revoke')
    await page.getByText('You have no API keys.').waitFor()
  })

  it('the secrets of two keys made one after the other are both shown, each until it is saved', async () => {
    await arrive('/profile/keys')
    const make = async (label: string): Promise<string | null> => {
      await button('Create key').click()
      await page.getByRole('textbox', { name: 'Label', exact: true }).fill(label)
      await inDialog('Create key').click()
      return await secretOf(label).locator('code').textContent()
    }
    const secretOf = (label: string) => page.getByRole('group', { name: `Secret for ${label}` })
    const first = await make('Laptop')
    const second = await make('Server')
    expect(await secret().allTextContents()).toEqual([second, first])
    await secretOf('Server').getByRole('button', { name: 'I’ve saved it' }).click()
    await secretOf('Server').waitFor({ state: 'detached' })
    expect(await secret().allTextContents()).toEqual([first])
    await toHaveFocus(button('Create key'))
  })

  it('a key is not created without an expiry while a part of the date is missing', async () => {
    await arrive('/profile/keys')
    await button('Create key').click()
    await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Temporary')
    const expiry = page.getByLabel('Expires after')
    await expiry.focus()
    await page.keyboard.type('0102')
    await inDialog('Create key').click()
    await page.getByText('Complete the date, or clear it').waitFor()
    await toHaveFocus(expiry)
    await expiry.fill('2099-01-02')
    await inDialog('Create key').click()
    await secret().waitFor()
    await page.getByText(/expires .*2099/).waitFor()
  })

  it('an answer has a receipt, appears in the usage by model, by day and as CSV, and triggers the warning about credits until acknowledged', async () => {
    await arrive('/')
    await say(page, 'What does this cost?')
    await hear(page, 'You said: What does this cost?')
    const details = answers(page).getByRole('button', { name: /^Details: 1 credit/ })
    await expect
      .poll(async () => {
        await composer(page).focus()
        await details.focus()
        return await answers(page).getByText('Balance after').isVisible()
      })
      .toBe(true)
    await page.getByText('of this month’s credits').waitFor()
    await button('Got it').click()
    await button('Got it').waitFor({ state: 'detached' })
    await page.reload()
    await hear(page, 'You said: What does this cost?')
    await page.getByText('99 of 100 credits left').waitFor()
    expect(await button('Got it').count()).toBe(0)

    await expect
      .poll(async () => {
        await page.goto('/profile/usage')
        await page.getByText('99 credits left.').waitFor()
        return await page.getByRole('img', { name: /^Credits by day/ }).isVisible()
      })
      .toBe(true)
    await page.getByRole('table', { name: 'Usage by model' }).getByRole('row').nth(1).waitFor()
    await page.getByText('Table', { exact: true }).click()
    await page.getByRole('columnheader', { name: 'Day' }).waitFor()
    await page.getByRole('listitem').filter({ hasText: ', 99 left' }).getByText('1 credit').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button('Download the receipts shown as CSV').click(),
    ])
    const csv = await readFile(await download.path(), 'utf8')
    expect(csv).toMatch(/^\uFEFFTime,Model,Source,.*\r\n[^\r]*,Chat,[^\r]*\r\n$/)
  })
})
