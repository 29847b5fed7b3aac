import type { Page } from 'playwright-core'
import { intercept } from '../intercept.ts'
import { openShowcase, openSidebar, regular, type Scene, visitor } from './scene.ts'

/** The list of chats. */
export const chats: Omit<Scene, 'sidebar'>[] = [
  regular('drawer', { at: ['phone'] }, async (page, world) => {
    await openShowcase(page, world)
    await openSidebar(page)
    await page.getByRole('link', { name: 'Thesis outline' }).waitFor()
  }),
  visitor('drawer-guest', { at: ['phone'] }, async (page) => {
    await page.goto('/')
    await openSidebar(page)
  }),
  regular('chat-menu', async (page) => {
    await page.goto('/')
    await openSidebar(page)
    await page.getByRole('link', { name: 'Rust lifetimes' }).hover()
    await page.getByRole('button', { name: 'Options for Rust lifetimes in iterators' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
  }),
  regular('renaming', { continues: 'chat-menu' }, async (page) => {
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'New title' }).waitFor()
  }),
  regular('account-menu', async (page) => {
    await page.goto('/')
    await openSidebar(page)
    await page.getByRole('button', { name: /mara-k/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  }),
  regular('selection', (page) => select(page)),
  regular('dialog', { continues: 'selection' }, async (page) => {
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
  }),
  regular('importing', async (page) => {
    let tries = 0
    await intercept(page, '/chat/import', () => {
      tries += 1
      // The first connection breaks, and the page rejoins the import.
      if (tries > 1) return 'hang'
      return { contentType: 'text/event-stream', body: 'data: {"progress":{"done":48,"total":120}}\n\n' }
    })
    await page.goto('/')
    await openSidebar(page)
    await page.getByRole('button', { name: 'List options' }).click()
    await page.getByRole('menuitem', { name: 'Import chats' }).click()
    const file = { name: 'conversations.json', mimeType: 'application/json', buffer: Buffer.from('[]') }
    await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file)
    await page.getByText('48 of 120 chats').waitFor()
  }),
  regular('undo', async (page) => {
    await intercept(page, '/chat/history/*', ({ method }) =>
      method === 'DELETE' ? { json: { message: 'Gone' } } : 'continue',
    )
    await page.goto('/')
    await openSidebar(page)
    await page.getByRole('link', { name: 'Regex' }).hover()
    await page.getByRole('button', { name: 'Options for Regex' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
  }),
]

async function select(page: Page): Promise<void> {
  await page.goto('/')
  await openSidebar(page)
  await page.getByRole('button', { name: 'List options' }).click()
  await page.getByRole('menuitem', { name: 'Select chats' }).click()
  await page.getByRole('checkbox', { name: 'Select Regex' }).click()
  await page.getByRole('checkbox', { name: 'Select Rust lifetimes in iterators' }).click({ modifiers: ['Shift'] })
}
