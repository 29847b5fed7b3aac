import type { Browser } from 'playwright-core'
import { slowDown } from '../browser.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'
import { writtenChat } from '../written-chat.ts'

const slowness = 4
const limitMs = 1_000
const shortChat = 20
const longChat = 2_000
const screens = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

/** The part of the page's DOM used below. */
declare class PerformanceObserver {
  constructor(listen: (list: { getEntries(): { startTime: number }[] }) => void)
  observe(options: { type: string; buffered: boolean }): void
}

/** W10: on a slow processor with an empty cache, the largest contentful paint of the page of a shared chat, a short and a long one taking turns. */
export async function measureSharedPage({ plan, parley }: Whole, browser: Browser): Promise<Row[]> {
  const paths = [await shareChat(parley, shortChat), await shareChat(parley, longChat)] as const
  const rows: Row[] = []
  for (const screen of screens) {
    const [short, long]: [number[], number[]] = [[], []]
    // The first round warms up the server and is not counted.
    for (let round = -1; round < plan.rounds; round += 1) {
      const times = [
        await paint(browser, parley.url + paths[0], screen),
        await paint(browser, parley.url + paths[1], screen),
      ]
      if (round < 0) continue
      short.push(times[0] ?? Number.NaN)
      long.push(times[1] ?? Number.NaN)
    }
    for (const [messages, times] of [
      [shortChat, short],
      [longChat, long],
    ] as const) {
      rows.push({
        id: 'W10',
        goal: `largest paint of a shared chat of ${messages} messages, ${screen.width} px wide, CPU ×${slowness}`,
        measured: withSpread(times, 0, ' ms'),
        limit: `≤ ${limitMs} ms`,
        met: median(times) <= limitMs,
      })
    }
  }
  return rows
}

/** Resolves to the path of the link. */
async function shareChat({ call }: Whole['parley'], messages: number): Promise<string> {
  const chat = [writtenChat(10_000 + messages, messages)]
  const { chatIds } = await call<{ chatIds: string[] }>('POST', '/chat/import?chatIds=true', chat)
  return (await call<{ url: string }>('POST', '/share', { chatId: chatIds[0] })).url
}

/** Milliseconds from the navigation to the last candidate, once the application has taken the page over. */
async function paint(browser: Browser, url: string, viewport: (typeof screens)[number]): Promise<number> {
  const context = await browser.newContext({ viewport })
  try {
    const page = await context.newPage()
    await slowDown(page, slowness)
    await page.addInitScript(() => {
      const seen = { largest: Number.NaN }
      Object.assign(globalThis, { seen })
      new PerformanceObserver((list) => {
        for (const { startTime } of list.getEntries()) seen.largest = startTime
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
    await page.goto(url)
    await page.locator('main ~ footer').waitFor()
    await page.waitForLoadState('networkidle')
    return await page.evaluate<number>('seen.largest')
  } finally {
    await context.close()
  }
}
