import type { ListedShare } from '@parley/contracts'
import type { Page } from 'playwright-core'
import type { World } from '../world.ts'
import { answerWith, regular, type Scene, visitor } from './scene.ts'

/** Opens the shared link of the showcase chat. */
async function openLink(page: Page, { regular, showcaseId }: World): Promise<void> {
  const { body } = await regular.api.post('/api/share', { chatId: showcaseId })
  await page.goto((body as { url: string }).url)
  await page.locator('.code-box').first().waitFor()
}

const refusal = (code: string) => ({ error: 'Refused', code, requestId: 'r' })

const inDays = (days: number): string => new Date(Date.now() + days * 24 * 60 * 60_000).toISOString()
const someLink: ListedShare = {
  id: 'link-1',
  url: '/s/link-1',
  chatId: 'chat-1',
  title: 'Compare heat pumps for a 1960s house',
  sharedAt: inDays(-3),
  expiresAt: null,
  hasPassword: false,
  views: 1,
}
const someLinks: ListedShare[] = [
  someLink,
  {
    ...someLink,
    id: 'link-2',
    title: 'A title that goes on and on until no line of a phone has room for all the words that it is made of',
    expiresAt: inDays(20),
    hasPassword: true,
    views: 1_234,
  },
  { ...someLink, id: 'link-3', title: 'شرح مبرهنة فيثاغورس للأطفال', expiresAt: inDays(-1), views: 0 },
]

/** Sharing a chat, and the public view of a shared chat. */
export const sharing: Scene[] = [
  visitor('shared-chat', openLink),
  visitor('shared-password', async (page) => {
    await answerWith(page, '/share/**', 401, refusal('password_required'))
    await page.goto('/s/some-link')
    await page.getByRole('heading', { name: 'This chat is password-protected' }).waitFor()
  }),
  visitor('shared-invalid', async (page) => {
    await answerWith(page, '/share/**', 404, refusal('not_found'))
    await page.goto('/s/some-link')
    await page.getByText('Invalid share link.').waitFor()
  }),
  regular('share-dialog', async (page, { showcaseId }) => {
    await page.goto(`/c/${showcaseId}?share=1`)
    const dialog = page.getByRole('dialog', { name: 'Share chat' })
    await dialog.locator('.code-box').first().waitFor()
    await dialog.getByLabel('Require a password').check()
    await dialog.getByLabel('Expires').selectOption('On a date')
    await dialog.getByRole('button', { name: /^(Create|Update) link$/ }).click()
    await dialog.getByText('Choose a day.').waitFor()
  }),
  regular('shared-links', async (page) => {
    await answerWith(page, '/share?*', 200, { items: someLinks, nextCursor: 'more' })
    await page.goto('/profile')
    await page.getByRole('link', { name: someLink.title }).scrollIntoViewIfNeeded()
  }),
]
