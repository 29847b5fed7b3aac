import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, screenshot, type Visitor } from '../src/browser.ts'
import { openChat, thread } from '../src/crafted-chat.ts'
import { corpus, diagrams, evil, forged } from '../src/hostile.ts'
import { answers, composer, hear, type Person, registerPerson, say, signInPage } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

/** The page's own record of suspicious events. */
interface Watched {
  readonly hacked?: unknown
  readonly violations: string[]
  readonly longTasks: number[]
}

let on: SharedSystem
let person: Person
let visitor: Visitor
let page: Page

it.beforeAll(async ({ shared }) => {
  on = shared
  await shared.begin({ emailVerificationRequired: false })
  person = await registerPerson(on.system, 'target')
})
beforeEach(async () => {
  on.provider.reset()
  visitor = await newVisitor(on.browser, on.system.url)
  page = visitor.page
  await signInPage(visitor.page, person)
  await page.addInitScript(() => {
    const violations: string[] = []
    const longTasks: number[] = []
    Object.assign(globalThis, { violations, longTasks })
    addEventListener('securitypolicyviolation', (event) => {
      const { violatedDirective, blockedURI } = event as unknown as Record<string, string>
      violations.push(`${violatedDirective} ${blockedURI}`)
    })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTasks.push(Math.round(duration))
    }).observe({ type: 'longtask', buffered: true })
  })
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name}`)
  const { hacked, violations } = await watched()
  await visitor.leave()
  expect({ hacked, violations, errors: visitor.errors, requests: visitor.foreignRequests }).toEqual({
    hacked: undefined,
    violations: [],
    errors: [],
    requests: [],
  })
})

const watched = (): Promise<Watched> =>
  page.evaluate(() => {
    const { hacked, violations, longTasks } = globalThis as unknown as Watched
    return { hacked, violations, longTasks }
  })

/** Number of elements that no answer may add to a page. */
const planted = (): Promise<number> =>
  page
    .locator(
      'article :is(script, iframe, object, embed, form:not([class]), base, link, meta, style, [onerror], [onload], img[src^="http"])',
    )
    .count()

declare const addEventListener: (type: string, listener: (event: object) => void) => void
declare class PerformanceObserver {
  constructor(listen: (list: { getEntries(): { duration: number }[] }) => void)
  observe(options: { type: string; buffered: boolean }): void
}

describe('a hostile model', () => {
  it('cannot run or fetch anything through its text, its reasoning or the question', async () => {
    const everything = corpus.join('\n\n')
    on.provider.reply({ text: everything, reasoning: [everything] })
    await page.goto('/')
    await composer(page).fill(everything)
    await composer(page).press('Enter')
    await hear(page, 'a beacon')
    await page.locator('summary').first().click()
    // The renderer may not have finished.
    await answers(page).getByRole('link').first().waitFor()
    expect(await planted()).toBe(0)
    const links = await answers(page)
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    expect(links).toContain(`${evil}/?d=secret`)
    expect(links.filter((href) => !href.startsWith(evil))).toEqual([])
  })

  it('cannot run or fetch anything through tools, sources, errors, a title or a stored chat', async () => {
    const everything = corpus.join('\n')
    const timestamp = '2026-01-05T10:00:00.000Z'
    const call = { toolName: everything, parameters: { [everything]: everything }, timestamp }
    const messages = thread(
      { role: 'user', content: everything },
      {
        role: 'assistant',
        content: 'Cited [1] [2].',
        webSearchQuery: everything,
        webSearchResults: [
          { title: everything, url: 'javascript:window.hacked=1', domain: everything, summary: everything },
          { title: everything, url: `${evil}/source`, domain: everything, summary: everything },
        ],
        toolCalls: [
          {
            ...call,
            toolCallId: '1',
            status: 'completed',
            result: { [everything]: everything },
            resultNormalized: everything,
          },
          { ...call, toolCallId: '2', status: 'error', error: everything },
        ],
        model: everything,
      },
      { role: 'user', content: 'Again' },
      { role: 'assistant', content: '', status: 'error', finishReason: 'error', error: everything },
    )
    await openChat(page, messages, everything)
    for (const summary of await page.locator('article summary').all()) await summary.click()
    await page.getByText('Parameters').first().waitFor()
    expect(await planted()).toBe(0)
    expect(await page.locator('.citation').evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      `${evil}/source`,
    ])
  })

  it.each(diagrams.map((code, index) => [index, code] as const))(
    'cannot run or fetch anything through diagram %i',
    async (_, code) => {
      await openChat(
        page,
        thread(
          { role: 'user', content: 'Draw' },
          { role: 'assistant', content: `\`\`\`mermaid\n${code}\n\`\`\`\n\nThe end` },
        ),
      )
      await page.getByText('The end').waitFor()
      const isHarmless = code.includes('fine')
      if (isHarmless) await page.locator('.diagram img').waitFor()
      await page.waitForLoadState('networkidle')
      expect(await planted()).toBe(0)
      // A diagram is shown as an image, never as SVG inside the page.
      expect(await page.locator('article .code-box svg:not(.lucide)').count()).toBe(0)
    },
  )

  it('cannot forge a stream event', async () => {
    on.provider.reply({ text: forged })
    await page.goto('/')
    await say(page, 'Forge')
    await hear(page, 'after')
    expect(page.url()).not.toContain('forged')
    expect(await answers(page).last().textContent()).toContain('"event":"new_chat_created"')
    on.provider.reply({ text: 'All is well' })
    await say(page, 'Go on')
    await hear(page, 'All is well')
  })
})

/** Answers that would block a page which renders all of them. */
const heavy: readonly (readonly [string, string])[] = [
  ['a megabyte of text', 'A paragraph with **bold** words, `code` and a [link](https://a.example).\n\n'.repeat(14_000)],
  ['quotes ten thousand deep', `${'>'.repeat(10_000)} deep`],
  ['a list ten thousand deep', `${'- '.repeat(10_000)}deep`],
  ['a table of five thousand rows', `|a|b|c|\n|-|-|-|\n${'|one|two|three|\n'.repeat(5_000)}`],
  ['half a megabyte of code', `\`\`\`ts\n${'const value = compute(1, "two", [3])\n'.repeat(14_000)}\`\`\``],
]

describe('an oversized answer', () => {
  it.each(heavy)('leaves the page responsive: %s', async (name, content) => {
    await openChat(page, thread({ role: 'user', content: 'Much' }, { role: 'assistant', content }))
    await page.locator('.markdown').waitFor()
    await composer(page).pressSequentially('still here')
    expect(await composer(page).inputValue()).toBe('still here')
    const { longTasks } = await watched()
    console.info(
      `${name}: longest tasks ${longTasks
        .toSorted((one, other) => other - one)
        .slice(0, 5)
        .join(', ')} ms`,
    )
  })

  it.each(heavy)('can be stopped while it streams: %s', async (name, content) => {
    const chunks = content.match(/[\s\S]{1,2000}/g) ?? []
    // Watch for the question before the flood: afterwards it is scrolled out of view and no longer rendered.
    const { promise: asked, resolve: flood } = Promise.withResolvers<void>()
    const pause = { after: 0, until: asked }
    on.provider.reply({ chunks: [...chunks, 'never'], delayMs: 1, pause, hang: { after: chunks.length } })
    await page.goto('/')
    await say(page, 'Much')
    flood()
    await page.locator('.markdown').waitFor()
    await page.getByRole('button', { name: 'Stop generating' }).click()
    await page.getByText('You stopped this answer.').waitFor()
    const { longTasks } = await watched()
    console.info(
      `${name}, streamed: longest tasks ${longTasks
        .toSorted((one, other) => other - one)
        .slice(0, 5)
        .join(', ')} ms`,
    )
  })
})
