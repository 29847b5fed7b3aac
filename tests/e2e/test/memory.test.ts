import type { MemorySettings } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { intercept } from '../src/intercept.ts'
import { answers, composer, enter, hear, type Person, registerPerson, say } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

describe('memory', () => {
  let on: SharedSystem
  let page: Page
  let person: Person
  let people = 0

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false, guest: { weeklyLimit: 1_000 } })
  })
  it.beforeEach(async ({ visitor }) => {
    on.provider.reset()
    people += 1
    person = await registerPerson(on.system, `rememberer${people}`)
    page = visitor.page
  })

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const panel = () => page.getByRole('dialog', { name: 'Memory' })
  const reads = (text: string | RegExp) => page.getByText(text).first().waitFor()
  const remember = async (...texts: readonly string[]) => {
    for (const text of texts) expect((await person.api.post('/api/memory', { text })).status).toBe(201)
  }
  const stored = async (): Promise<string[]> => {
    const { body } = await person.api.get('/api/memory')
    return (body as { items: { text: string }[] }).items.map(({ text }) => text)
  }
  /** The prompt of the last question. */
  const prompt = () => JSON.stringify(on.provider.calls.findLast(({ wire }) => wire !== 'images')?.body)
  const newChat = () => page.getByRole('link', { name: 'New chat' }).click()
  /** Asks in new chats until a prompt includes this memory: the wait for memory is short and can be exceeded on a machine under load. */
  const askRemembering = async (question: string, memory: string) => {
    const promptOfNewChat = async () => {
      await newChat()
      await say(page, question)
      await hear(page, `You said: ${question}`)
      return prompt()
    }
    await expect.poll(promptOfNewChat, { interval: 1_000 }).toContain(memory)
  }
  /** Types a command and runs it. */
  const command = async (text: string) => {
    await composer(page).fill(text)
    await composer(page).press('Enter')
  }

  it('is suggested from a user’s message, approved, used in a new chat, forgotten there, and gone from the next prompt', async () => {
    await enter(page, person)
    await say(page, 'I live in Lisbon with two cats.')
    await hear(page, 'You said: I live in Lisbon with two cats.')
    await answers(page).getByRole('button', { name: 'Memory updated' }).click()
    await panel().getByText('You said where you live').waitFor()
    await panel()
      .getByRole('link', { name: /^From your message/ })
      .waitFor()
    await panel().getByRole('button', { name: 'Approve', exact: true }).click()
    await panel().getByText('1 suggestion approved.').waitFor()
    expect(await stored()).toEqual(['I live in Lisbon with two cats.'])
    await page.keyboard.press('Escape')

    await askRemembering('Where can I walk in Lisbon?', 'I live in Lisbon with two cats.')
    await button('1 memory used').click()
    await page.getByRole('button', { name: /^Forget “I live in Lisbon/ }).click()
    await answers(page).getByText('Forgotten', { exact: true }).waitFor()

    await newChat()
    await say(page, 'And where can I eat in Lisbon?')
    await hear(page, 'You said: And where can I eat in Lisbon?')
    expect(prompt()).not.toContain('two cats')
    expect(await page.getByRole('button', { name: /memory used$/ }).count()).toBe(0)
  })

  it('is written, found and forgotten by commands, completed from the list by keyboard alone', async () => {
    await enter(page, person)
    await composer(page).pressSequentially('/rem')
    await page.getByRole('option', { name: '/remember' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await composer(page).inputValue()).toBe('/remember ')
    await page.keyboard.type('I drink green tea')
    await page.keyboard.press('Enter')
    await reads('Remembered.')
    expect(await stored()).toEqual(['I drink green tea'])
    await remember('I drink no coffee', 'My desk faces north')

    await command('/forget desk')
    await reads('Forgotten: My desk faces north')
    // The toast before it may still be closing.
    await button('Undo').first().click()
    await expect.poll(stored).toContain('My desk faces north')

    await command('/forget drink')
    await panel().getByRole('searchbox').waitFor()
    expect(await panel().getByRole('searchbox').inputValue()).toBe('drink')
    await expect.poll(() => panel().getByRole('checkbox', { name: 'I drink' }).count()).toBe(2)
    await page.keyboard.press('Escape')

    await command('/memories')
    await expect.poll(() => panel().getByRole('listitem').count()).toBe(3)
    await page.keyboard.press('Escape')
    await page.route('**/api/memory', (route) => route.abort())
    await command('/remember what cannot be sent')
    await reads('This couldn’t be remembered.')
    await expect.poll(() => composer(page).inputValue()).toBe('/remember what cannot be sent')
    expect(on.provider.calls).toEqual([])
  })

  it('is saved from a message on request, and can be switched off for one chat while on in the others', async () => {
    await remember('I live in Oslo')
    await enter(page, person)
    await askRemembering('What is Oslo like?', 'I live in Oslo')
    await button('1 memory used').waitFor()
    await page.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Remember this' }).click()
    const form = page.getByRole('dialog', { name: 'Remember this' })
    await form.getByLabel('What to remember').fill('I ask about Oslo')
    await form.getByLabel('Category').selectOption('location')
    await form.getByRole('button', { name: 'Remember' }).click()
    await expect.poll(stored).toEqual(['I ask about Oslo', 'I live in Oslo'])

    await button('Memory').click()
    const toggle = panel().getByRole('switch', { name: 'Use memory in this chat' })
    await toggle.click()
    await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('false')
    await page.keyboard.press('Escape')
    await say(page, 'And Oslo in winter?')
    await hear(page, 'You said: And Oslo in winter?')
    expect(prompt()).not.toContain('I live in Oslo')

    await askRemembering('Oslo again?', 'I live in Oslo')
  })

  it('opens by its button while a toast comes and goes: toasts never lie over it', async () => {
    await enter(page, person)
    await button('Memory').waitFor()
    await page.evaluate(`{
      globalThis.covers = []
      const button = document.querySelector('button[aria-label="Memory"]')
      const { x, y, width, height } = button.getBoundingClientRect()
      const look = () => {
        const top = document.elementFromPoint(x + width / 2, y + height / 2)
        if (!button.contains(top)) covers.push(top.outerHTML.slice(0, 200))
      }
      new MutationObserver(look).observe(document.body, { attributes: true, childList: true, subtree: true })
    }`)
    await command('/remember I ask about Oslo')
    const toast = page.getByRole('listitem').filter({ hasText: 'Remembered.' })
    await toast.getByRole('button', { name: 'Dismiss' }).click()
    await toast.waitFor({ state: 'detached' })
    expect(await page.evaluate('covers')).toEqual([])
    await button('Memory').click()
    await panel().waitFor()
  })

  it('is searched, edited, bulk-removed and cleared in its panel, each with undo', async () => {
    await remember('I like pears', 'I like plums', 'My bike is red')
    await enter(page, person, '/profile/memory')
    const rows = page.getByRole('list', { name: 'Memories' }).getByRole('listitem')
    const listed = (count: number) => expect.poll(() => rows.count()).toBe(count)
    await listed(3)
    await page.getByRole('searchbox', { name: 'Search memories' }).fill('plums')
    await listed(1)
    await button('Options for “I like plums”').click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('What to remember').fill('I like plums and figs')
    await button('Save').click()
    await reads('Memory updated.')
    await button('Options for “I like plums and figs”').click()
    await page.getByRole('menuitem', { name: 'History' }).click()
    await page.getByRole('dialog').getByText('I like plums', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox', { name: 'Search memories' }).fill('')
    await listed(3)

    for (const name of ['I like pears', 'My bike']) await page.getByRole('checkbox', { name }).check()
    await button('Remove').click()
    await reads('2 memories removed.')
    await listed(1)
    await button('Undo').click()
    await listed(3)

    await button('Options for all memories').click()
    await page.getByRole('menuitem', { name: 'Clear all memories…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clear all' }).click()
    await reads('No memories yet')
    await button('Options for all memories').click()
    await page.getByRole('menuitem', { name: 'Restore cleared memories' }).click()
    await listed(3)
    await page.getByLabel('Filter by source').selectOption('chat')
    await reads('No memories match.')

    await button('Options for all memories').click()
    const saved = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export memories' }).click()
    const file = await (await saved).path()
    await person.api.delete('/api/memory')
    await button('Options for all memories').click()
    await page.getByRole('menuitem', { name: 'Import memories…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import memories' })
    const choose = (content: string | { name: string; mimeType: string; buffer: Buffer }) =>
      dialog.getByLabel('Choose a file').setInputFiles(content)
    await choose({ name: 'letter.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
    await dialog.getByRole('alert').getByText('“letter.json” doesn’t contain memories.').waitFor()
    await choose(file)
    await dialog.getByText('3 were left out because you removed them.').waitFor()
    expect(await stored()).toEqual([])
    await dialog.getByRole('button', { name: 'Import removed ones too' }).click()
    await dialog.getByText('3 memories imported.').waitFor()
    expect((await stored()).toSorted()).toEqual(['I like pears', 'I like plums and figs', 'My bike is red'])
    const faulty = JSON.stringify([{ text: 'I like quinces' }, { text: '' }])
    await choose({ name: 'faulty.json', mimeType: 'application/json', buffer: Buffer.from(faulty) })
    await dialog.getByText('Entry 2: Must not be empty').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByLabel('Filter by source').selectOption('own')
    await listed(4)
  })

  it('has settings that are saved as they are chosen, and a pattern that cannot run is refused at its field', async () => {
    await enter(page, person, '/profile/memory')
    await page.getByRole('tab', { name: 'Memories' }).press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    const semantic = page.getByRole('switch', { name: 'Semantic memory' })
    await semantic.click()
    await expect.poll(() => semantic.getAttribute('aria-checked')).toBe('true')
    await page.getByRole('checkbox', { name: 'Health' }).uncheck()
    await button('Add pattern').click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Pets')
    const pattern = page.getByRole('textbox', { name: 'Pattern', exact: true })
    await pattern.fill('(a+)\\1')
    await button('Save').click()
    await expect.poll(() => pattern.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => pattern.evaluate((field) => field.matches(':focus'))).toBe(true)
    await pattern.fill('my (cat|dog) is called')
    await button('Save').click()
    await page.getByRole('switch', { name: 'Pets' }).waitFor()
    await page.reload()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('switch', { name: 'Pets' }).waitFor()
    expect(await semantic.getAttribute('aria-checked')).toBe('true')
    expect(await page.getByRole('checkbox', { name: 'Health' }).isChecked()).toBe(false)
    await page.getByRole('tab', { name: 'Learning' }).click()
    await reads('Nothing learned yet')
  })

  it('keeps each of some quick changes of its patterns, made before the one before it was saved, and those of another device', async () => {
    const detectionPatterns = ['Cats', 'Dogs', 'Birds'].map((name) => ({ name, pattern: `my ${name}` }))
    expect((await person.api.patch('/api/memory/settings', { detectionPatterns })).status).toBe(200)
    const patterns = async () => {
      const { body } = await person.api.get('/api/memory/settings')
      return (body as MemorySettings).detectionPatterns.filter(({ builtIn }) => !builtIn)
    }
    const own = async () => (await patterns()).map(({ name, enabled }) => [name, enabled])
    await enter(page, person, '/profile/memory')
    await page.getByRole('tab', { name: 'Settings' }).click()
    await button('Remove Cats').waitFor()
    const onAnother = [...(await patterns()), { name: 'Fish', pattern: 'my fish' }]
    expect((await person.api.patch('/api/memory/settings', { detectionPatterns: onAnother })).status).toBe(200)
    const released = Promise.withResolvers<'continue'>()
    await intercept(page, '/memory/settings', ({ method }) => (method === 'PATCH' ? released.promise : 'continue'))
    await button('Remove Cats').click()
    await button('Remove Dogs').click()
    const birds = page.getByRole('switch', { name: 'Birds' })
    await birds.click()
    await expect.poll(() => birds.getAttribute('aria-checked')).toBe('false')
    released.resolve('continue')
    await expect.poll(own).toEqual([
      ['Birds', false],
      ['Fish', true],
    ])
    await expect.poll(() => page.getByRole('list', { name: 'Your patterns' }).getByRole('listitem').count()).toBe(2)
  })

  it('asks a guest to sign in, and keeps their text', async () => {
    await page.goto('/')
    await command('/remember I am a guest')
    await reads('Sign in to let Parley remember things for you.')
    await expect.poll(() => composer(page).inputValue()).toBe('/remember I am a guest')
    await button('Memory').click()
    expect(await panel().count()).toBe(0)
  })

  it('shows only a small hint when its service does not respond', async () => {
    const { body } = await person.api.post(
      '/api/chat',
      { message: 'Hello', model: 'v3' },
      { headers: { accept: 'application/json' } },
    )
    const { chatId } = body as { chatId: string }
    await page.route(`**/api/chat/history/${chatId}*`, async (route) => {
      const response = await route.fetch()
      const chat = (await response.json()) as { messages: object[] }
      const messages = chat.messages.map((message) => ({ ...message, memoryUnavailable: true }))
      await route.fulfill({ response, json: { ...chat, messages } })
    })
    await page.route('**/api/memory**', (route) => route.fulfill({ status: 500, body: '' }))
    await enter(page, person, `/c/${chatId}`)
    await answers(page).getByText('Answered without memory').waitFor()
    await button('Memory').click()
    await panel().getByText('Your memories couldn’t be loaded.').waitFor()
    await page.unroute('**/api/memory**')
    await panel().getByRole('button', { name: 'Try again' }).click()
    await panel().getByText('No memories yet').waitFor()
  })
})
