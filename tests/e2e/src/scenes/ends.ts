import { banned, type Scene, visitor } from './scene.ts'

/** Dead ends: error and not-found pages. */
export const ends: Scene[] = [
  banned('suspended', async (page) => {
    await page.goto('/')
    await page.getByText('Account Suspended').waitFor()
  }),
  visitor('not-found', async (page) => {
    await page.goto('/no/such/page')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  }),
  visitor('error', async (page) => {
    await page.route('**/assets/chat-screen-*.js', (route) => route.abort())
    await page.goto('/')
    await page.getByRole('button', { name: 'Show Details' }).click()
  }),
]
