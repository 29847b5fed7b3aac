import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { screenshot } from '../src/browser.ts'
import { transferFiles } from '../src/data-transfer.ts'
import { intercept } from '../src/intercept.ts'
import {
  answers,
  attachmentsOf,
  chooseModel,
  composer,
  enter,
  hear,
  type Person,
  registerPerson,
  say,
  sendFiles,
} from '../src/people.ts'
import { samplePdf, samplePng } from '../src/sample-files.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'
import { addedModels } from '../src/tooled-system.ts'

describe('files and pictures', () => {
  let on: SharedSystem
  let page: Page
  let person: Person
  let people = 0

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
  })
  it.beforeEach(async ({ visitor }) => {
    on.provider.reset()
    people += 1
    page = visitor.page
    person = await registerPerson(on.system, `sender${people}`)
    await enter(page, person)
    await page.getByRole('button', { name: /^Model: (?!Loading)/ }).waitFor()
  })

  it('that are pasted, or dropped anywhere, are sent with the text, and the draft is cleared', async () => {
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

  const ownFiles = () => page.getByRole('listbox', { name: 'Your files' })

  it('that were sent are found by a hash sign and attached to another chat by key and mouse, without an upload', async () => {
    await sendFiles(person, [samplePng(), samplePdf()])
    let uploads = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/chat/files')) uploads += 1
    })
    await chooseModel(page, addedModels.reader)
    const field = composer(page)
    await field.pressSequentially('What is this? #')
    await ownFiles().getByRole('option').nth(1).waitFor()
    expect(await ownFiles().getByRole('option').allInnerTexts()).toEqual([
      expect.stringMatching(/energy-certificate\.pdf.*PDF/s),
      expect.stringMatching(/wall\.png.*PNG/s),
    ])
    await screenshot(page, 'composer-own-files')
    await field.press('ArrowDown')
    const active = await field.getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${active}"][aria-selected=true]`).innerText()).toContain('wall.png')
    await field.press('Escape')
    await ownFiles().waitFor({ state: 'detached' })
    await field.pressSequentially('WA')
    await ownFiles().getByRole('option').waitFor()
    await field.press('Enter')
    await attachmentsOf(page).getByText('wall.png').waitFor()
    expect(await field.inputValue()).toBe('What is this?')
    await field.pressSequentially(' #wall')
    await ownFiles().getByRole('option').click()
    expect(await attachmentsOf(page).getByRole('listitem').count()).toBe(1)
    await field.pressSequentially(' #')
    await ownFiles()
      .getByRole('option', { name: /energy/ })
      .click()
    await attachmentsOf(page).getByText('1 page').waitFor()
    await field.press('Enter')
    await hear(page, 'What is this?')
    const sent = JSON.stringify(on.provider.calls.at(-1)?.body)
    expect(sent).toMatch(/image\/png/)
    expect(sent).toMatch(/certificate|application\/pdf/)
    expect(uploads).toBe(0)
  })

  it('are not suggested in headings, numbers and pasted text', async () => {
    await sendFiles(person, [samplePng()])
    const field = composer(page)
    await field.pressSequentially('#')
    await ownFiles().getByRole('option').waitFor()
    await field.press('Space')
    await ownFiles().waitFor({ state: 'detached' })
    await field.pressSequentially('A wall')
    await field.press('Shift+Enter')
    await field.pressSequentially('##')
    expect(await ownFiles().count()).toBe(0)
    await field.press('Backspace')
    await ownFiles().waitFor()
    await field.press('Backspace')
    await field.pressSequentially('See #wall')
    await ownFiles().waitFor()
    await field.press('ControlOrMeta+a')
    await field.press('ControlOrMeta+x')
    await field.press('ControlOrMeta+v')
    expect(await field.inputValue()).toBe('# A wall\nSee #wall')
    await page.waitForLoadState('networkidle')
    expect(await ownFiles().count()).toBe(0)
    await field.pressSequentially(' and #123')
    await field.press('Enter')
    await hear(page, 'See #wall and #123')
  })

  it('get the same refusals as uploads: over the limit of a message, unreadable by the model, or gone', async () => {
    const many = Array.from({ length: 11 }, (_, nth) => samplePdf(`page-${nth}.pdf`, `Page ${nth}`))
    await sendFiles(person, many.slice(0, 10))
    await sendFiles(person, many.slice(10))
    const field = composer(page)
    await field.pressSequentially('Compare')
    for (const { name } of many) {
      await page.keyboard.insertText(` #${name}`)
      await ownFiles().getByRole('option', { name }).waitFor()
      await field.press('Enter')
    }
    await page
      .getByRole('alert')
      .getByText('“page-10.pdf” wasn’t attached: a message can have at most 10 files.')
      .waitFor()
    expect(await attachmentsOf(page).getByRole('listitem').count()).toBe(10)
    await page.getByText(/can’t read these files\./).waitFor()
    for (const { name } of many.slice(1, 10)) await page.getByRole('button', { name: `Remove ${name}` }).click()
    await chooseModel(page, addedModels.reader)
    const error = '“page-0.pdf” is no longer available. Please remove it or upload it again.'
    let gone = true
    const refusal = { status: 404, json: { error, code: 'not_found', requestId: 'r' } }
    await intercept(page, '/chat', () => (gone ? refusal : 'continue'))
    await field.press('Enter')
    await page.getByText(error).waitFor()
    await screenshot(page, 'composer-file-gone')
    expect(await field.inputValue()).toBe('Compare')
    gone = false
    await page.getByRole('button', { name: 'Remove page-0.pdf' }).click()
    await field.press('Enter')
    await hear(page, 'You said: Compare')
  })

  it('are generated in image mode, which shows its model and price', async () => {
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
