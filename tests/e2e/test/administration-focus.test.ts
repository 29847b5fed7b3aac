import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect } from 'vitest'
import { tabTo, toHaveFocus } from '../src/keyboard.ts'
import { adminPerson, connectedLive, enter, type Person, registerPerson } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

describe('the keyboard focus in the administration', () => {
  let on: SharedSystem
  let page: Page
  let admin: Person
  /** Makes names unique, also when a test is retried. */
  let mark: string

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
    admin = await adminPerson(on.system)
  })
  it.beforeEach(({ visitor }) => {
    page = visitor.page
  })
  beforeEach(() => {
    mark = randomUUID().slice(0, 6)
  })

  const rows = () => page.locator('[data-row]')
  const row = (text: string) => rows().filter({ hasText: text })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const confirm = async (name: string): Promise<void> => {
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name, exact: true }))
    await page.keyboard.press('Enter')
  }
  const choose = async (of: string, action: string): Promise<void> => {
    await button(`Options for ${of}`).press('Enter')
    await page.locator('[role^="menuitem"]', { hasText: action }).press('Enter')
  }
  /** Selects the first two rows and goes to an action on them. */
  const selectTwo = async (action: string, among = rows()): Promise<void> => {
    await among.first().focus()
    await page.keyboard.press(' ')
    await page.keyboard.press('Shift+ArrowDown')
    await tabTo(page, page.getByRole('status').getByRole('button', { name: action, exact: true }))
    await page.keyboard.press('Enter')
  }
  const createPlans = async (): Promise<string[]> => {
    const names = ['one', 'two', 'three'].map((number) => `Focus ${mark} ${number}`)
    for (const name of names) {
      expect((await admin.api.post('/api/admin/plans', { name, monthlyCredits: 100 })).status).toBe(201)
    }
    return names
  }
  const createModel = async (provider: string, name: string): Promise<void> => {
    const model = { id: `${provider}/focus-${mark}-${name}`, name: `Focus ${mark} ${name}`, provider, group: 'Focus' }
    expect((await admin.api.post('/api/admin/models', model)).status).toBe(201)
  }
  const deleteModel = async (id: string, name: string): Promise<void> => {
    await choose(name, 'Delete model')
    await page.getByLabel(`Type ${id} to confirm`).fill(id)
    await page.getByLabel(`Type ${id} to confirm`).press('Enter')
    await row(name).waitFor({ state: 'detached' })
  }

  it('is on a row after two users were banned, whose actions are gone', async () => {
    for (const name of ['a', 'b', 'c']) await registerPerson(on.system, `focus-${mark}-${name}`)
    await enter(page, admin, `/admin/users?query=focus-${mark}&sort=username&order=asc`)
    await expect.poll(() => rows().count()).toBe(3)
    await selectTwo('Ban 2')
    await confirm('Ban 2 users')
    await toHaveFocus(row(`focus-${mark}-b`))
    await expect.poll(() => page.getByRole('cell', { name: 'Banned' }).count()).toBe(2)
    await toHaveFocus(row(`focus-${mark}-b`))
    await selectTwo('Unban 2')
    await expect.poll(() => page.getByRole('cell', { name: 'Banned' }).count()).toBe(0)
    await toHaveFocus(row(`focus-${mark}-b`))
  })

  it('is on the row in the place of revoked keys, and on the reason for an empty list after the last one', async () => {
    const owner = await registerPerson(on.system, `focus-${mark}-owner`)
    for (const name of ['one', 'two', 'three'])
      await owner.api.post('/api/user/keys', { label: `Focus ${mark} ${name}` })
    await enter(page, admin, `/admin/keys?query=${encodeURIComponent(`Focus ${mark}`)}`)
    await expect.poll(() => rows().count()).toBe(3)
    await selectTwo('Revoke 2 keys')
    await confirm('Revoke 2 keys')
    await expect.poll(() => rows().count()).toBe(1)
    await toHaveFocus(rows())
    const label = /Focus \w+ (one|two|three)/.exec((await rows().textContent()) ?? '')?.[0] ?? ''
    await choose(label, 'Revoke…')
    await confirm('Revoke 1 key')
    await toHaveFocus(page.getByText('No matching key found'))
  })

  it('is on the next row after a plan was deleted', async () => {
    const names = await createPlans()
    await enter(page, admin, '/admin/plans')
    await row(names[0] ?? '').waitFor()
    const listed = (await rows().allTextContents()).map((text) => names.find((name) => text.includes(name)))
    const shown = listed.filter((name) => name !== undefined)
    await choose(shown[0] ?? '', 'Delete plan')
    await confirm('Delete plan')
    await row(shown[0] ?? '').waitFor({ state: 'detached' })
    await toHaveFocus(row(shown[1] ?? ''))
  })

  it('stays where it is when another admin’s change removes a row', async () => {
    const names = await createPlans()
    const connected = connectedLive(page)
    await enter(page, admin, '/admin/plans')
    await connected
    const kept = button(`Options for ${names[1]}`)
    await kept.focus()
    const { plans } = (await admin.api.get('/api/admin/plans')).body as { plans: { id: string; name: string }[] }
    const remove = async (name: string | undefined): Promise<void> => {
      await admin.api.delete(`/api/admin/plans/${plans.find((plan) => plan.name === name)?.id}`)
      await row(String(name)).waitFor({ state: 'detached' })
    }
    await remove(names[0])
    await toHaveFocus(kept)
    // Nothing has the focus after a click beside everything.
    await page.evaluate('document.activeElement.blur()')
    await remove(names[2])
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
  })

  it('is in the table of the models that were disabled together, and on the next row after one was deleted, if only in another table', async () => {
    await createModel('anthropic', 'alone')
    for (const name of ['one', 'three', 'two']) await createModel('google', name)
    await enter(page, admin, `/admin/models?query=focus-${mark}`)
    await expect.poll(() => rows().count()).toBe(4)
    const models = page.getByRole('table', { name: 'Google models' }).locator('[data-row]')
    await selectTwo('Disable 2', models)
    await toHaveFocus(models.nth(1))
    const shown = (await models.allTextContents()).map((text) => /(one|two|three)/.exec(text)?.[0])
    await deleteModel(`google/focus-${mark}-${shown[0]}`, `Focus ${mark} ${shown[0]}`)
    await toHaveFocus(row(`Focus ${mark} ${shown[1]}`))
    await deleteModel(`anthropic/focus-${mark}-alone`, `Focus ${mark} alone`)
    await toHaveFocus(models.first())
  })
})
