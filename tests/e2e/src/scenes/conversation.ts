import { broken, down, thinking, unfinished } from '../answers.ts'
import { composer } from '../people.ts'
import { answerWith, ask, openShowcase, question, type Scene } from './scene.ts'

/** A chat from its first message on, with its interruptions. */
export const conversation: Scene[] = [
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
    continues: 'answer',
    show: async (page) => {
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
      await page.locator('details[open] > summary').filter({ hasText: 'Thinking…' }).waitFor()
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
      await page.getByRole('button', { name: 'Stop generating' }).click()
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
]
