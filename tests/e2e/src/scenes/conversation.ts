import { broken, down, thinking, unfinished } from '../answers.ts'
import { composer } from '../people.ts'
import { answerWith, ask, newcomer, openShowcase, question, regular, type Scene, visitor } from './scene.ts'

/** A chat from its first message on, with its interruptions. */
export const conversation: Scene[] = [
  visitor('empty-guest', async (page) => {
    await page.goto('/')
    await page.getByText('guest messages left').waitFor()
  }),
  newcomer('empty-user', async (page) => {
    await page.goto('/')
    await page.getByText('credits left').waitFor()
  }),
  regular('answer', openShowcase),
  regular('answer-top', { continues: 'answer' }, async (page) => {
    await page.locator('summary').click()
    await page.getByRole('log').evaluate((log) => log.scrollTo(0, 0))
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor()
  }),
  regular('streaming', async (page, { provider }) => {
    provider.reply(unfinished)
    await ask(page)
    await page.locator('.code-box').waitFor()
    await composer(page).fill('And what if I insulate first?')
  }),
  regular('thinking', async (page, { provider }) => {
    provider.reply(thinking)
    await ask(page)
    await page.locator('details[open] > summary').filter({ hasText: 'Thinking…' }).waitFor()
  }),
  regular('failed', async (page, { provider }) => {
    provider.reply(down, down, down)
    await ask(page)
    await page.getByText('No credits were charged.').waitFor()
  }),
  regular('broken-off', async (page, { provider }) => {
    provider.reply(broken)
    await ask(page)
    await page.getByText('This answer was interrupted.').waitFor()
  }),
  regular('stopped', async (page, { provider }) => {
    provider.reply(unfinished)
    await ask(page)
    await page.getByText('def yearly_cost').waitFor()
    await page.getByRole('button', { name: 'Stop generating' }).click()
    await page.getByText('You stopped this answer.').waitFor()
  }),
  visitor('guest-limit', async (page) => {
    const nextResetDate = new Date(Date.now() + 4 * 86_400_000).toISOString()
    const guestSession = { id: 'guest', remainingMessages: 0, messageLimit: 2, nextResetDate }
    await answerWith(page, '/chat/guest-info', 200, { guestSession, message: '' })
    await page.goto('/')
    await page.getByText('Message limit reached').waitFor()
    await composer(page).fill('A third question')
  }),
  regular('no-credits', async (page) => {
    await answerWith(page, '/chat', 402, { error: 'Insufficient credits', code: 'insufficient_credits' })
    await page.goto('/')
    await composer(page).fill(question)
    await composer(page).press('Enter')
    await page.getByText('Insufficient Credits').waitFor()
  }),
  regular('thread-out-of-reach', async (page, { showcaseId }) => {
    await answerWith(page, `/chat/history/${showcaseId}`, 500, { error: 'Broken', code: 'internal_error' })
    await page.goto(`/c/${showcaseId}`)
    await page.getByText('Failed to load chat').waitFor()
  }),
]
