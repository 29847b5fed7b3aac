import type { Page } from 'playwright-core'
import { broken, down, thinking, unfinished } from './answers.ts'
import type { sizes } from './browser.ts'
import { answers, composer, type Person, password } from './people.ts'
import type { World } from './world.ts'

/** One screen in one state, and the way there. */
export interface Scene {
  readonly name: string
  /** Who looks at it; nobody is a guest or visitor. */
  readonly who?: 'regular' | 'newcomer' | 'banned'
  /** Has the sidebar open, which is a column in a wide window and a drawer in a narrow one, so that it cannot be resized. */
  readonly sidebar?: boolean
  /** The sizes that have it; all unless told. */
  readonly at?: readonly (keyof typeof sizes)[]
  /** Leads a fresh page there and resolves once it stands. */
  readonly show: (page: Page, world: World) => Promise<void>
}

const question =
  'Which heat pump suits an uninsulated 140 m² house from 1962 in Munich? Show me the running cost as a table.'

async function openSidebar(page: Page): Promise<void> {
  const opener = page.getByRole('button', { name: 'Open sidebar' })
  await composer(page).waitFor()
  if (await opener.isVisible()) await opener.click()
  await page.getByRole('link', { name: 'New chat' }).waitFor()
}

async function ask(page: Page): Promise<void> {
  await page.goto('/')
  await composer(page).fill(question)
  await composer(page).press('Enter')
  await answers(page).waitFor()
}

async function openShowcase(page: Page, { showcaseId }: World): Promise<void> {
  await page.goto(`/c/${showcaseId}`)
  await answers(page).filter({ hasText: 'Balance the radiators' }).waitFor()
}

async function register(page: Page, name: string): Promise<void> {
  await page.goto('/register')
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('E-mail').fill(`${name}@parley.test`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Repeat password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
}

async function answerWith(page: Page, path: string, status: number, body: unknown): Promise<void> {
  await page.route(`**/api${path}`, (route) => route.fulfill({ status, json: body }))
}

const entrance: Scene[] = [
  {
    name: 'login',
    show: async (page) => {
      await page.goto('/login')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    },
  },
  {
    name: 'login-refused',
    show: async (page) => {
      await page.goto('/login')
      await page.getByLabel('Username or e-mail').fill('nobody')
      await page.getByLabel('Password', { exact: true }).fill('not my password')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('main').getByText('Login failed').waitFor()
    },
  },
  {
    name: 'register',
    show: async (page) => {
      await page.goto('/register')
      await page.getByLabel('Repeat password').waitFor()
    },
  },
  {
    name: 'register-mistakes',
    show: async (page) => {
      await page.goto('/register')
      await page.getByLabel('Username').fill('a b')
      await page.getByLabel('E-mail').fill('nowhere')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText('Please enter a valid email address').waitFor()
    },
  },
  { name: 'verification', show: (page) => register(page, `unverified${Date.now()}`) },
  {
    name: 'verification-address',
    show: async (page) => {
      await register(page, `unverified${Date.now()}`)
      await page.getByRole('button', { name: 'Change e-mail' }).click()
      await page.getByLabel('New e-mail').waitFor()
    },
  },
]

const conversation: Scene[] = [
  {
    name: 'empty-guest',
    show: async (page) => {
      await page.goto('/')
      await page.getByText('guest messages left').waitFor()
    },
  },
  {
    name: 'empty-user',
    who: 'newcomer',
    show: async (page) => {
      await page.goto('/')
      await page.getByText('credits left').waitFor()
    },
  },
  { name: 'answer', who: 'regular', show: openShowcase },
  {
    name: 'answer-top',
    who: 'regular',
    show: async (page, world) => {
      await openShowcase(page, world)
      await page.locator('summary').click()
      await page.getByRole('log').evaluate((log) => log.scrollTo(0, 0))
      await page.getByRole('button', { name: 'Jump to latest' }).waitFor()
    },
  },
  {
    name: 'streaming',
    who: 'regular',
    show: async (page, { provider }) => {
      provider.reply(unfinished)
      await ask(page)
      await page.locator('.code-box').waitFor()
      await composer(page).fill('And what if I insulate first?')
    },
  },
  {
    name: 'thinking',
    who: 'regular',
    show: async (page, { provider }) => {
      provider.reply(thinking)
      await ask(page)
      await page.locator('summary').filter({ hasText: 'Thinking…' }).click()
    },
  },
  {
    name: 'failed',
    who: 'regular',
    show: async (page, { provider }) => {
      provider.reply(down, down, down)
      await ask(page)
      await page.getByText('No credits were charged.').waitFor()
    },
  },
  {
    name: 'broken-off',
    who: 'regular',
    show: async (page, { provider }) => {
      provider.reply(broken)
      await ask(page)
      await page.getByText('This answer was interrupted.').waitFor()
    },
  },
  {
    name: 'stopped',
    who: 'regular',
    show: async (page, { provider }) => {
      provider.reply(unfinished)
      await ask(page)
      await page.getByText('def yearly_cost').waitFor()
      await page.getByRole('button', { name: 'Stop the answer' }).click()
      await page.getByText('You stopped this answer.').waitFor()
    },
  },
  {
    name: 'guest-limit',
    show: async (page) => {
      const nextResetDate = new Date(Date.now() + 4 * 86_400_000).toISOString()
      const guestSession = { id: 'guest', remainingMessages: 0, messageLimit: 2, nextResetDate }
      await answerWith(page, '/chat/guest-info', 200, { guestSession, message: '' })
      await page.goto('/')
      await page.getByText('Message limit reached').waitFor()
      await composer(page).fill('A third question')
    },
  },
  {
    name: 'no-credits',
    who: 'regular',
    show: async (page) => {
      await answerWith(page, '/chat', 402, { error: 'Insufficient credits', code: 'insufficient_credits' })
      await page.goto('/')
      await composer(page).fill(question)
      await composer(page).press('Enter')
      await page.getByText('Insufficient Credits').waitFor()
    },
  },
  {
    name: 'thread-out-of-reach',
    who: 'regular',
    show: async (page, { showcaseId }) => {
      await answerWith(page, `/chat/history/${showcaseId}`, 500, { error: 'Broken', code: 'internal_error' })
      await page.goto(`/c/${showcaseId}`)
      await page.getByText('Failed to load chat').waitFor()
    },
  },
  {
    name: 'models',
    who: 'newcomer',
    show: async (page) => {
      await page.goto('/')
      await page.getByRole('button', { name: /^Model: DeepSeek/ }).click()
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'models-guest',
    show: async (page) => {
      await page.goto('/')
      await page.getByRole('button', { name: /^Model: DeepSeek/ }).click()
      await page.getByText('Sign in to choose another.').waitFor()
    },
  },
]

const chats: Omit<Scene, 'sidebar'>[] = [
  {
    name: 'drawer',
    who: 'regular',
    at: ['phone'],
    show: async (page, world) => {
      await openShowcase(page, world)
      await openSidebar(page)
      await page.getByRole('link', { name: 'Thesis outline' }).waitFor()
    },
  },
  {
    name: 'drawer-guest',
    at: ['phone'],
    show: async (page) => {
      await page.goto('/')
      await openSidebar(page)
    },
  },
  {
    name: 'chat-menu',
    who: 'regular',
    show: async (page) => {
      await page.goto('/')
      await openSidebar(page)
      await page.getByRole('link', { name: 'Rust lifetimes' }).hover()
      await page.getByRole('button', { name: 'Options of Rust lifetimes in iterators' }).click()
      await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    },
  },
  {
    name: 'renaming',
    who: 'regular',
    show: async (page) => {
      await page.goto('/')
      await openSidebar(page)
      await page.getByRole('link', { name: 'Rust lifetimes' }).hover()
      await page.getByRole('button', { name: 'Options of Rust lifetimes in iterators' }).click()
      await page.getByRole('menuitem', { name: 'Rename' }).click()
      await page.getByRole('textbox', { name: 'New title' }).waitFor()
    },
  },
  {
    name: 'account-menu',
    who: 'regular',
    show: async (page) => {
      await page.goto('/')
      await openSidebar(page)
      await page.getByRole('button', { name: /mara-k/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    },
  },
  { name: 'selection', who: 'regular', show: (page) => select(page) },
  {
    name: 'dialog',
    who: 'regular',
    show: async (page) => {
      await select(page)
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
    },
  },
  {
    name: 'undo',
    who: 'regular',
    show: async (page) => {
      await page.route('**/api/chat/history/*', (route) =>
        route.request().method() === 'DELETE' ? route.fulfill({ json: { message: 'Gone' } }) : route.continue(),
      )
      await page.goto('/')
      await openSidebar(page)
      await page.getByRole('link', { name: 'Regex' }).hover()
      await page.getByRole('button', { name: 'Options of Regex' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
    },
  },
]

async function select(page: Page): Promise<void> {
  await page.goto('/')
  await openSidebar(page)
  await page.getByRole('button', { name: 'Options of the list' }).click()
  await page.getByRole('menuitem', { name: 'Select chats' }).click()
  await page.getByRole('checkbox', { name: 'Select Regex' }).click()
  await page.getByRole('checkbox', { name: 'Select Rust lifetimes in iterators' }).click({ modifiers: ['Shift'] })
}

const ends: Scene[] = [
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

/** Every screen in every state that is designed for. */
export const scenes: readonly Scene[] = [
  ...entrance,
  ...conversation,
  ...chats.map((scene) => ({ ...scene, sidebar: true })),
  ...ends,
]

/** Who looks at a scene; undefined for a visitor. */
export const viewerOf = ({ who }: Scene, world: World): Person | undefined => who && world[who]
