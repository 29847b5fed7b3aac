import { locales, type ServerPayload } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { drawLocale } from '../browser.ts'
import { craftedId, openChat, thread } from '../crafted-chat.ts'
import { intercept } from '../intercept.ts'
import { answers, composer, hear, say } from '../people.ts'
import { showcaseChat } from '../showcase-chat.ts'
import { addedModels } from '../tooled-system.ts'
import { chooseModel, newcomer, regular, type Scene } from './scene.ts'

const showcase = async (page: Page): Promise<void> => {
  await openChat(page, showcaseChat, 'Compare heat pumps for a 1960s house')
  await page.getByRole('img', { name: 'Diagram' }).waitFor()
  await page.locator('.katex-display').waitFor()
}

/** Scrolls to the top of the thread, which opens at its end. */
const top = (page: Page): Promise<void> => page.getByRole('log').evaluate((log) => log.scrollTo(0, 0))

const first = (page: Page) => answers(page).first()

/** Asks a question while the provider is busy, for this page alone. */
async function busyProvider(page: Page): Promise<void> {
  const connected = Promise.withResolvers<(payload: ServerPayload<'stream:delayed'>) => void>()
  await page.routeWebSocket(/socket\.io/, (socket) => {
    socket.connectToServer().onMessage((frame) => {
      socket.send(frame)
      if (!String(frame).startsWith('40/realtime')) return
      connected.resolve((payload) => socket.send(`42/realtime,${JSON.stringify(['stream:delayed', payload])}`))
    })
  })
  await openChat(
    page,
    thread({ role: 'user', content: 'Which one?' }, { role: 'assistant', content: 'The quiet one.' }),
  )
  const tell = await connected.promise
  await intercept(page, '/chat', () => 'hang')
  await say(page, 'And which of them suits an uninsulated house?')
  const wait = { reason: 'busy', attempt: 2, of: 3, waitMs: 600_000 } as const
  tell({ chatId: craftedId, messageId: 'delayed', delay: { state: 'retrying', model: 'v3', ...wait } })
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
}

/** The parts of a thread and its actions. */
export const threads: Scene[] = [
  regular('thread-end', showcase),
  regular('thread-middle', { continues: 'thread-end' }, async (page) => {
    await page.locator('.katex-display').evaluate((formula) => formula.scrollIntoView({ block: 'start' }))
  }),
  regular('thread-top', { continues: 'thread-middle' }, async (page) => {
    await top(page)
    await page.getByText('3 pages').waitFor()
  }),
  regular('tool-cards', { continues: 'thread-top' }, async (page) => {
    await top(page)
    for (const summary of ['Thought for', 'One page read', 'could not be read']) {
      await page.locator('summary').filter({ hasText: summary }).first().click()
    }
  }),
  regular('details', { continues: 'tool-cards' }, async (page) => {
    await first(page)
      .getByRole('button', { name: /^Details/ })
      .focus()
    await page.getByRole('tooltip').first().waitFor()
  }),
  regular('regenerate', { continues: 'details' }, async (page) => {
    await page.keyboard.press('Escape')
    await first(page).getByRole('button', { name: 'Regenerate' }).click()
    await page.getByRole('menuitem', { name: 'Try again' }).waitFor()
  }),
  regular('enlarged', { continues: 'regenerate' }, async (page) => {
    await page.keyboard.press('Escape')
    await top(page)
    await page.getByRole('button', { name: 'Enlarge house.png' }).click()
    await page.getByRole('dialog', { name: 'house.png' }).waitFor()
  }),
  regular('edit', { continues: 'enlarged' }, async (page) => {
    await page.keyboard.press('Escape')
    await top(page)
    await page.getByRole('article', { name: 'You' }).first().hover()
    await page.getByRole('button', { name: 'Edit message' }).first().click()
    await page.getByRole('textbox', { name: 'Edit message' }).and(page.locator(':focus')).waitFor()
  }),
  regular('feedback', { continues: 'edit' }, async (page) => {
    await first(page).getByRole('button', { name: 'Bad answer' }).click()
    await page.getByRole('textbox', { name: /What was wrong/ }).fill('The cost of ground source is too low')
  }),
  regular('long-question', async (page) => {
    const code = '```ts\nexport const price = 1\n```\n'
    await openChat(
      page,
      thread(
        { role: 'user', content: `${'Why is this slow? '.repeat(200)}${code.repeat(40)}` },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'اشرح مبرهنة فيثاغورس للأطفال' },
        { role: 'assistant', content: 'مربع الوتر يساوي مجموع مربعي الضلعين: $a^2+b^2=c^2$.\n\n- أولاً\n- ثانياً' },
      ),
    )
    await page.locator('.katex').first().waitFor()
    await top(page)
  }),
  newcomer('searching', async (page, { search }) => {
    search.script = () => undefined
    await page.goto('/')
    await chooseModel(page, addedModels.reader)
    await composer(page).fill('/search who makes the quietest heat pump')
    await composer(page).press('Enter')
    await page.getByText('Searching the web…').waitFor()
  }),
  newcomer('search-failed', async (page, { search }) => {
    search.script = (_, response) => response.writeHead(500).end()
    await page.goto('/')
    await chooseModel(page, addedModels.reader)
    await composer(page).fill('/search who makes the quietest heat pump')
    await composer(page).press('Enter')
    await page.getByText('Web search failed', { exact: true }).waitFor()
    await hear(page, 'You said')
  }),
  newcomer('tool-running', async (page, { quotes, provider }) => {
    // The server caches prices, so each visit asks for another symbol.
    const symbol = ['ENPH', 'SEDG', 'RUN'][quotes.calls.length % 3]
    quotes.script = () => undefined
    // The answer of an earlier visit may still be waiting for its script.
    provider.always({ toolCalls: [{ name: 'get_quote', parameters: { symbol } }] }, ({ messages = [] }) =>
      String(messages.at(-1)?.content).includes('Enphase'),
    )
    await page.goto('/')
    await chooseModel(page, addedModels.reader)
    await composer(page).fill('/finance')
    await composer(page).press('Enter')
    await say(page, 'How is Enphase doing?')
    await page.getByText('running…').waitFor()
  }),
  regular('busy-provider', busyProvider),
  newcomer('image-made', async (page) => {
    await page.goto('/')
    await page.getByRole('button', { name: /^Model: DeepSeek/ }).waitFor()
    await composer(page).fill('/image A heat pump in the snow')
    await composer(page).press('Enter')
    await answers(page).locator('img').first().waitFor()
  }),
  regular('offline', async (page) => {
    await page.goto('/')
    await composer(page).waitFor()
    // Offline, no language could be loaded.
    for (const locale of [...locales, 'en'] as const) await drawLocale(page, locale)
    await page.context().setOffline(true)
    await page.getByText('You’re offline.').waitFor()
    await composer(page).fill('Is this kept?')
  }),
  newcomer('deleted-elsewhere', async (page, { newcomer }) => {
    await page.goto('/')
    await say(page, 'Soon gone')
    await hear(page, 'You said: Soon gone')
    await page.waitForURL(/\/c\//)
    await newcomer.api.delete(`/api/chat/history/${new URL(page.url()).pathname.split('/').at(-1)}`)
    await page.getByText('This chat was deleted in another tab').waitFor()
  }),
]
