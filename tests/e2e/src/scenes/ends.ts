import type { Scene } from './scene.ts'

/** Dead ends: error and not-found pages. */
export const ends: Scene[] = [
  {
    name: 'suspended',
    who: 'banned',
    show: async (page) => {
      await page.goto('/')
      await page.getByText('Account Suspended').waitFor()
    },
  },
  {
    name: 'not-found',
    show: async (page) => {
      await page.goto('/no/such/page')
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    },
  },
  {
    name: 'error',
    show: async (page) => {
      await page.route('**/assets/chat-screen-*.js', (route) => route.abort())
      await page.goto('/')
      await page.getByRole('button', { name: 'Show Details' }).click()
    },
  },
]
