import type { ChatDetail } from '@parley/contracts'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { showcase } from '../src/answers.ts'
import { intercept, stopIntercepting } from '../src/intercept.ts'
import { answers, hear, type Person, registerPerson, say, signInPage } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

declare const requestAnimationFrame: (run: (at: number) => void) => number

/** Rendering is late on a machine under load. */
const patiently = { timeout: 60_000 }

describe('a position far back in a thread', () => {
  let on: SharedSystem
  let person: Person
  let page: Page
  let chatId: string | undefined

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
    person = await registerPerson(on.system, 'far-reader')
    for (let number = 1; number <= 60; number += 1) {
      const message = `Question ${number}.${number === 7 ? ' The amber lantern' : ''}`
      const accept = { headers: { accept: 'application/json' } }
      const { body } = await person.api.post('/api/chat', { message, model: 'v3', chatId }, accept)
      chatId = (body as { chatId: string }).chatId
    }
  })
  it.beforeEach(async ({ visitor }) => {
    on.provider.reset()
    page = visitor.page
    await signInPage(page, person)
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const questionAt = (number: number) =>
    page.getByRole('article', { name: 'You' }).filter({ hasText: `Question ${number}.` })
  const isInView = (number: number) =>
    questionAt(number).evaluate((row) => {
      const box = row.closest('[role="log"]')?.getBoundingClientRect()
      const { top, bottom } = row.getBoundingClientRect()
      return box !== undefined && top >= box.top && bottom <= box.bottom
    })
  const search = async (words: string) => {
    await page.getByRole('searchbox', { name: 'Search chats' }).fill(words)
    await page.getByRole('navigation').getByRole('link').filter({ hasText: words }).first().click()
  }
  const messageIds = async (): Promise<string[]> => {
    const { body } = await person.api.get(`/api/chat/history/${chatId}?limit=200`)
    return (body as ChatDetail).messages.map(({ id }) => id)
  }

  it('is shown and focused, repeatedly, and the thread continues from there to its end', async () => {
    const ids = await messageIds()
    await page.goto(`/c/${chatId}?m=${ids[12]}`)
    await questionAt(7).waitFor()
    const row = page.locator(`[data-row="${ids[12]}"]`)
    await expect.poll(() => row.evaluate((element) => element.matches(':focus')), patiently).toBe(true)
    await expect.poll(() => isInView(7), patiently).toBe(true)
    expect(new URL(page.url()).search).toBe('')
    await button('Jump to latest').waitFor()
    // The end is not loaded until it is reached.
    const log = page.getByRole('log')
    await expect
      .poll(async () => {
        await log.evaluate((box) => box.scrollTo(0, box.scrollHeight))
        return { last: await questionAt(60).count(), jump: await button('Jump to latest').count() }
      }, patiently)
      .toEqual({ last: 1, jump: 0 })
    await search('amber lantern')
    await expect.poll(() => isInView(7), patiently).toBe(true)
    await button('Jump to latest').click()
    await questionAt(60).waitFor()
    await expect.poll(() => isInView(60), patiently).toBe(true)
  })

  it('is left for the end when a message is sent', async () => {
    const ids = await messageIds()
    await page.goto(`/c/${chatId}?m=${ids[12]}`)
    await expect.poll(() => isInView(7), patiently).toBe(true)
    await say(page, 'From far back')
    await hear(page, 'You said: From far back')
    await questionAt(60).waitFor()
    expect(await questionAt(7).count()).toBe(0)
    expect((await messageIds()).length).toBe(ids.length + 2)
  })

  it('is reached by a key while the end of the thread grows in every frame', async () => {
    await page.goto(`/c/${chatId}`)
    await questionAt(60).waitFor()
    await page
      .getByRole('article', { name: 'Answer' })
      .last()
      .evaluate((answer) => {
        let height = answer.clientHeight
        const grow = (): void => {
          height += 2
          answer.style.minHeight = `${height}px`
          requestAnimationFrame(grow)
        }
        grow()
      })
    await page.getByRole('log').press('PageUp')
    await button('Jump to latest').waitFor()
    await page.getByRole('log').press('Home')
    await questionAt(60).waitFor({ state: 'detached' })
  })

  it('is shown in no frame when a chat is opened: it begins with its end, and nothing moves', async () => {
    on.provider.reply({ text: 'A line of a long answer.\n\n'.repeat(80) })
    const accept = { headers: { accept: 'application/json' } }
    const { body } = await person.api.post('/api/chat', { message: 'At length', model: 'v3' }, accept)
    const { chatId: id } = body as { chatId: string }
    await person.api.post('/api/chat', { message: 'In short', model: 'v3', chatId: id }, accept)
    // Unlike a look at positions, it tells what was painted.
    await page.addInitScript(`{
      globalThis.sights = []
      globalThis.moved = 0
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) globalThis.moved += value
      }).observe({ type: 'layout-shift', buffered: true })
      const painted = new IntersectionObserver((entries) => sights.push(...entries.map((one) => one.isIntersecting)))
      let end
      new MutationObserver(() => {
        const rows = document.querySelectorAll('[role="log"] [data-row]')
        if (rows.length > 0 && rows[rows.length - 1] !== end) painted.observe((end = rows[rows.length - 1]))
      }).observe(document, { childList: true, subtree: true })
    }`)
    await page.goto(`/c/${id}`)
    await page.getByText('A line of a long answer.').last().waitFor()
    await expect.poll(() => page.getByRole('log').evaluate((box) => box.scrollTop), patiently).toBeGreaterThan(1_000)
    // A style sheet that arrives late has the whole page styled again.
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate('[...new Set(sights)]')).toEqual([true])
    expect(await page.evaluate<number>('moved')).toBeLessThanOrEqual(0.02)
  })

  it('whose earlier messages fail to load asks for them again only when it is scrolled there again', async () => {
    let asked = 0
    await intercept(page, `/chat/history/${chatId}?before=**`, () => {
      asked += 1
      return { status: 503, json: { error: 'Away', code: 'unavailable', requestId: 'r1' } }
    })
    const scrollUp = () =>
      page.getByRole('log').evaluate((box) => {
        box.scrollTo(0, 100)
        box.scrollTo(0, 0)
      })
    await page.goto(`/c/${chatId}`)
    await questionAt(60).waitFor()
    await scrollUp()
    await expect.poll(() => asked, patiently).toBeGreaterThan(0)
    await page.getByText('Loading earlier messages').waitFor({ state: 'detached' })
    const before = asked
    await page.evaluate(async () => {
      for (let frame = 0; frame < 30; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
    })
    expect(asked).toBe(before)
    await stopIntercepting(page)
    await expect.poll(() => scrollUp().then(() => questionAt(1).count()), patiently).toBe(1)
  })

  const print = async () => {
    await page.evaluate(`window.print = () => {
      const questions = [...document.querySelectorAll('.print-sheet section > p')]
      globalThis.printed = questions.map(({ textContent }) => Number(/^Question (\\d+)/.exec(textContent)?.[1]))
    }`)
    await page.keyboard.press('ControlOrMeta+KeyK')
    await page.keyboard.type('print')
    await page.getByRole('option', { name: 'Print this chat' }).click()
  }

  it('is printed with all other parts of the thread', async () => {
    const ids = await messageIds()
    await page.goto(`/c/${chatId}?m=${ids[12]}`)
    await expect.poll(() => isInView(7), patiently).toBe(true)
    await print()
    const all = Array.from({ length: 60 }, (_, index) => index + 1)
    await expect
      .poll(async () => (await page.evaluate<number[] | undefined>('globalThis.printed'))?.slice(0, 60), patiently)
      .toEqual(all)
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
  })

  it('is not printed if another part of the thread fails to load, which is reported', async () => {
    await page.goto(`/c/${chatId}`)
    await questionAt(60).waitFor()
    await intercept(page, `/chat/history/${chatId}?before=**`, () => ({
      status: 503,
      json: { error: 'Away', code: 'unavailable', requestId: 'r1' },
    }))
    await print()
    await page.getByText('The chat couldn’t be loaded completely, so it wasn’t printed. Try again.').waitFor()
    expect(await page.evaluate('globalThis.printed')).toBeUndefined()
  })

  it('is left for the end, also when that arrives after the answer and was read before the message', async () => {
    const ids = await messageIds()
    await page.goto(`/c/${chatId}?m=${ids[12]}`)
    await expect.poll(() => isInView(7), patiently).toBe(true)
    const { promise: answered, resolve: go } = Promise.withResolvers<void>()
    const { promise: read, resolve: send } = Promise.withResolvers<void>()
    await intercept(page, `/chat/history/${chatId}`, async ({ fetch }) => {
      const end = await fetch()
      send()
      await answered
      return end
    })
    await intercept(page, '/chat', async () => {
      await read
      return 'continue' as const
    })
    await say(page, 'From far back, faster')
    await hear(page, 'You said: From far back, faster')
    go()
    await questionAt(60).waitFor()
    await hear(page, 'You said: From far back, faster')
  })

  it('may be in another version, which is then shown', async () => {
    const ids = await messageIds()
    const editMessageId = ids[0]
    await person.api.post(
      '/api/chat',
      { message: 'Anew', model: 'v3', chatId, editMessageId },
      { headers: { accept: 'application/json' } },
    )
    await page.goto(`/c/${chatId}`)
    await hear(page, 'You said: Anew')
    await search('amber lantern')
    await expect.poll(() => isInView(7), patiently).toBe(true)
    expect((await messageIds()).length).toBeGreaterThan(100)
    await page.goto(`/c/${chatId}?m=nowhere`)
    await page.getByText('Not found').or(page.getByText('couldn’t be')).first().waitFor()
    await questionAt(60).waitFor()
  })
})

describe('a message that is sent', () => {
  let on: SharedSystem
  let page: Page

  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
  })
  it.beforeEach(async ({ visitor }) => {
    page = visitor.page
    await signInPage(page, await registerPerson(on.system, `sender${performance.now().toFixed()}`))
    on.provider.reset()
    on.provider.reply({ text: `${showcase.text}\n\n`.repeat(12) })
    await page.goto('/')
    await say(page, 'Twelve systems')
    await answers(page).first().getByRole('button', { name: 'Copy', exact: true }).waitFor(patiently)
  })

  it('leaves the turns before it mounted', async () => {
    await answers(page)
      .first()
      .evaluate((article) => article.setAttribute('data-from', 'before'))
    await say(page, 'And another')
    await hear(page, 'You said: And another')
    expect(await answers(page).first().getAttribute('data-from')).toBe('before')
  })

  it('leaves the buttons below an answer in their places, where its line might wrap otherwise', async () => {
    const ratings = answers(page).first().getByRole('button', { name: 'Good answer' })
    const left = () => ratings.evaluate((button) => button.getBoundingClientRect().left)
    const before = await left()
    const { promise: seen, resolve: go } = Promise.withResolvers<void>()
    on.provider.reply({ chunks: ['Half', ' an answer'], pause: { after: 1, until: seen } })
    await say(page, 'And another')
    await answers(page).last().getByText('Half').waitFor()
    expect(await answers(page).first().getByRole('button', { name: 'Regenerate' }).isVisible()).toBe(false)
    expect(await left()).toBe(before)
    go()
    await hear(page, 'Half an answer')
  })

  it('has only itself styled, not the answer before it, however long that is', async () => {
    expect(await answers(page).first().locator('*').count()).toBeGreaterThan(1_000)
    await on.browser.startTracing(page, { categories: ['devtools.timeline'] })
    await say(page, 'And another')
    await hear(page, 'You said: And another')
    const trace = JSON.parse((await on.browser.stopTracing()).toString()) as { traceEvents: readonly TraceEvent[] }
    const styled = trace.traceEvents.flatMap(({ name, args }) =>
      name === 'UpdateLayoutTree' ? [args.elementCount] : [],
    )
    expect(styled.length).toBeGreaterThan(0)
    expect(Math.max(...styled.map((count) => count ?? 0))).toBeLessThan(500)
  })
})

interface TraceEvent {
  readonly name: string
  readonly args: { readonly elementCount?: number }
}
