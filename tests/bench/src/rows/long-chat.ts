import type { Browser, Page } from 'playwright-core'
import { composer, signIn, slowDown } from '../browser.ts'
import { median, quantile, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'

const slowness = 4
const openLimitMs = 600
const typingLimitMs = 50
const lastQuestion = 'This is the very last question'

/** The part of the page's DOM used below. */
interface InPage {
  readonly keyDelays: number[]
}
declare const document: {
  querySelector(selector: string): { readonly textContent: string; click(): void } | null
}
declare const requestAnimationFrame: (draw: () => void) => void
declare const requestIdleCallback: (act: () => void) => void

/** W6: on a slow processor, the time to open a long chat, and the delay of each key press while an answer streams into it. */
export async function measureLongChat(whole: Whole, browser: Browser): Promise<Row[]> {
  const { plan, parley, stub } = whole
  const chatId = await writeLongChat(whole)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await signIn(page, parley.url)
    await slowDown(page, slowness)
    const openings: number[] = []
    for (let round = 0; round < plan.rounds; round += 1) openings.push(await openChat(page, parley.url, chatId))
    await stub.ask('pace', { tokens: 20 * 30, everyMs: 50, padding: 0 })
    await observeKeys(page)
    const quiet = await typeKeys(page)
    const delays = await typeWhileStreaming(page)
    return [
      {
        id: 'W6',
        goal: `open a chat of ${plan.messages} messages, CPU ×${slowness}`,
        measured: withSpread(openings, 0, ' ms'),
        limit: `≤ ${openLimitMs} ms`,
        met: median(openings) <= openLimitMs,
      },
      {
        id: 'W6',
        goal: `worst delay from a key to its paint while an answer streams, CPU ×${slowness} (${delays.length} keys, p95 ${quantile(delays, 0.95).toFixed(0)} ms; without an answer worst ${Math.max(...quiet).toFixed(0)} ms, p95 ${quantile(quiet, 0.95).toFixed(0)} ms)`,
        measured: `${Math.max(...delays).toFixed(0)} ms`,
        limit: `≤ ${typingLimitMs} ms`,
        met: Math.max(...delays) <= typingLimitMs,
      },
    ]
  } finally {
    await context.close()
  }
}

async function writeLongChat({ plan, parley, stub }: Whole): Promise<string> {
  await stub.ask('pace', { tokens: 30, everyMs: 0, padding: 4 })
  let chatId: string | undefined
  for (let written = 2; written <= plan.messages; written += 2) {
    const message = written === plan.messages ? lastQuestion : `Question ${written / 2}: what comes next?`
    const answer = await parley.call<{ chatId: string }>('POST', '/chat', { message, model: 'v3', chatId })
    chatId = answer.chatId
  }
  if (chatId === undefined) throw new Error('A chat needs at least two messages')
  return chatId
}

/** Milliseconds from the click on a chat to the frame after its last message was rendered. */
async function openChat(page: Page, url: string, chatId: string): Promise<number> {
  await page.goto(url)
  await page.locator(`a[href="/c/${chatId}"]`).waitFor()
  await composer(page).waitFor()
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())))
  return page.evaluate(
    ([id, text]) =>
      new Promise<number>((resolve) => {
        const startedAt = performance.now()
        const look = (): void => {
          const shown = document.querySelector('[role="log"]')?.textContent.includes(text)
          if (shown) requestAnimationFrame(() => resolve(performance.now() - startedAt))
          else requestAnimationFrame(look)
        }
        document.querySelector(`a[href="/c/${id}"]`)?.click()
        look()
      }),
    [chatId, lastQuestion] as const,
  )
}

async function typeWhileStreaming(page: Page): Promise<number[]> {
  await composer(page).fill('Tell me a long story')
  await page.keyboard.press('Enter')
  await page.locator('[role="log"][aria-busy="true"], [role="log"] [aria-busy="true"]').first().waitFor()
  return typeKeys(page)
}

/** Starts recording the time from each key press to its paint, by the Event Timing API (rounded to 8 ms). */
const observeKeys = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const keyDelays: number[] = []
    Object.assign(globalThis, { keyDelays })
    const observer = new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') keyDelays.push(duration)
    })
    observer.observe({ type: 'event', durationThreshold: 16 } as never)
  })

/** Milliseconds to paint for each of some dozens of key presses. */
async function typeKeys(page: Page): Promise<number[]> {
  const text = 'the quick brown fox jumps over the lazy dog while an answer grows '
  const before = await page.evaluate(() => (globalThis as unknown as InPage).keyDelays.length)
  await composer(page).pressSequentially(text, { delay: 90 })
  const noted = await page.evaluate(() => (globalThis as unknown as InPage).keyDelays)
  const slow = noted.slice(before)
  // The API does not report keys painted within 16 ms.
  return [...slow, ...Array.from({ length: Math.max(0, text.length - slow.length) }, () => 16)]
}
