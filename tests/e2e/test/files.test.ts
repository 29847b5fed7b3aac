import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, screenshot, type Visitor } from '../src/browser.ts'
import { transferFiles } from '../src/data-transfer.ts'
import { answers, attachmentsOf, chooseModel, composer, enter, hear, registerPerson, say } from '../src/people.ts'
import { samplePdf, samplePng } from '../src/sample-files.ts'
import { endVisit, it, type SharedSystem } from '../src/shared-system.ts'
import { addedModels } from '../src/tooled-system.ts'

describe('files and pictures', () => {
  let on: SharedSystem
  let visitor: Visitor
  let page: Page
  let people = 0

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
  })
  beforeEach(async () => {
    on.provider.reset()
    people += 1
    visitor = await newVisitor(on.browser, on.system.url)
    page = visitor.page
    await enter(page, await registerPerson(on.system, `sender${people}`))
    await page.getByRole('button', { name: /^Model: (?!Loading)/ }).waitFor()
  })
  afterEach(({ task }) => endVisit(visitor, task))

  it('that are pasted, or dropped anywhere, are sent with the text, and the draft is empty afterwards', async () => {
    await chooseModel(page, addedModels.reader)
    await transferFiles(composer(page), 'paste', [samplePng()])
    await transferFiles(page.locator('body'), 'drop', [samplePdf()])
    const attachments = attachmentsOf(page)
    await attachments.getByText('wall.png').waitFor()
    await attachments.getByText('energy-certificate.pdf').waitFor()
    await attachments.getByText('1 page').waitFor()
    await expect
      .poll(() =>
        attachments.locator('img').evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBe(64)
    await screenshot(page, 'composer-attachments')
    await say(page, 'What class is this house?')
    await hear(page, 'You said:')
    expect(await attachments.count()).toBe(0)
    const files = on.provider.calls.at(-1)?.prompt.messages.flatMap((message) => message.files) ?? []
    expect(files.map(({ type }) => type.split('/')[0])).toContain('image')
    expect(JSON.stringify(on.provider.calls.at(-1)?.body)).toMatch(/certificate|application\/pdf/)
  })

  it('the mode of images shows its model and price, and makes one', async () => {
    const pictures = new Set<string>()
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.includes('/api/chat/files/')) pictures.add(pathname)
    })
    await composer(page).fill('/image')
    await composer(page).press('Enter')
    await page.getByTitle('Choose an image model').click()
    await page.getByRole('menuitemradio', { name: new RegExp(addedModels.painter) }).click()
    await page.getByRole('button', { name: addedModels.painter }).waitFor()
    await page.getByText('2 each').waitFor()
    await composer(page).fill('A heat pump in the snow')
    await composer(page).press('Enter')
    await page.getByRole('article').filter({ hasText: 'A heat pump in the snow' }).first().waitFor()
    await answers(page).locator('img').first().waitFor()
    expect(on.provider.calls.map(({ wire }) => wire)).toContain('images')
    await page.getByRole('button', { name: 'Regenerate' }).click()
    await page.getByRole('menuitem', { name: 'Try again' }).click()
    await page.getByText('Version 2 of 2').waitFor()
    expect(await answers(page).count()).toBe(1)
    await answers(page).locator('img').first().waitFor()
    await expect.poll(() => pictures.size).toBe(2)
    await page.getByRole('button', { name: 'Previous version' }).click()
    await page.getByText('Version 1 of 2').waitFor()
    await answers(page).locator('img').first().waitFor()
    expect(on.provider.calls.filter(({ wire }) => wire === 'images')).toHaveLength(2)
  })
})
