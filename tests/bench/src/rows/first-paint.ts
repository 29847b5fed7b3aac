import type { Browser, Page } from 'playwright-core'
import { composer, signIn } from '../browser.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'

const limitMs = 50
const warmUps = 3
const pace = { tokens: 20, everyMs: 20, padding: 0 }

/** The part of the page's DOM used below. */
declare const document: {
  querySelector(selector: string): { readonly textContent: string; readonly ariaBusy: string | null } | null
  addEventListener(type: string, listener: () => void, options: { readonly once: true; readonly capture: true }): void
}
declare const requestAnimationFrame: (draw: () => void) => void
declare const MutationObserver: new (
  changed: () => void,
) => { observe(target: unknown, options: object): void; disconnect(): void }

/** W1: from the key press that sends a message to the paint of the answer's first token, over the provider's own time to that token. */
export async function measureFirstPaint(whole: Whole, browser: Browser): Promise<Row[]> {
  const { plan, parley, stub, stubUrl, load } = whole
  await stub.ask('pace', pace)
  const target = { url: `${stubUrl}/v1/chat/completions`, headers: {}, body: { stream: true } }
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await signIn(page, parley.url)
    const seen: Seen[] = []
    const added: number[] = []
    for (let nth = -warmUps; nth < plan.paintedAnswers; nth += 1) {
      const own = median(await load.ask<number[]>('firstBytes', { target, count: 3 }))
      const one = await sendAndSee(page, nth)
      if (nth < 0) continue
      seen.push(one)
      added.push(one.paintMs - own)
    }
    const stage = (part: keyof Seen): string => median(seen.map((one) => one[part])).toFixed(0)
    return [
      {
        id: 'W1',
        goal: `message sent to first painted token in Chromium over the provider's own first token (${plan.paintedAnswers} messages; called after ${stage('callMs')} ms, first byte after ${stage('byteMs')} ms, in the page after ${stage('pageMs')} ms)`,
        measured: withSpread(added, 0, ' ms'),
        limit: `≤ ${limitMs} ms`,
        met: median(added) <= limitMs,
      },
    ]
  } finally {
    await context.close()
  }
}

/** Milliseconds since the key press. */
interface Seen {
  readonly callMs: number
  readonly byteMs: number
  readonly pageMs: number
  readonly paintMs: number
}

/** Sends a message and waits for the end of its answer. Tokens carry their time of sending, which distinguishes them from earlier answers. */
async function sendAndSee(page: Page, nth: number): Promise<Seen> {
  await composer(page).fill(`Question ${nth}: what comes next?`)
  const painted = page.evaluate(
    () =>
      new Promise<{ sentAt: number; pageMs: number; paintMs: number }>((resolve) => {
        let sentAt = Number.POSITIVE_INFINITY
        const isThere = (): boolean => {
          const text = document.querySelector('[role="log"]')?.textContent ?? ''
          return [...text.matchAll(/\[0:([\d.]+)\]/g)].some(([, at]) => Number(at) > sentAt + performance.timeOrigin)
        }
        const afterPaint = (act: () => void): void => {
          const { port1, port2 } = new MessageChannel()
          Object.assign(port1, { onmessage: act })
          requestAnimationFrame(() => port2.postMessage(undefined))
        }
        const observer = new MutationObserver(() => {
          if (!isThere()) return
          observer.disconnect()
          const pageMs = performance.now() - sentAt
          afterPaint(() => resolve({ sentAt, pageMs, paintMs: performance.now() - sentAt }))
        })
        observer.observe(document, { subtree: true, childList: true, characterData: true })
        const listener = (): void => {
          sentAt = performance.now()
        }
        document.addEventListener('keydown', listener, { once: true, capture: true })
      }),
  )
  await composer(page).press('Enter')
  const { sentAt, pageMs, paintMs } = await painted
  await page.locator('[role="log"][aria-busy="true"], [role="log"] [aria-busy="true"]').waitFor({ state: 'detached' })
  // The browser reports the timing once the answer is over.
  const call = await page.evaluate(() => {
    const calls = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/chat'))
    const { startTime = Number.NaN, responseStart = Number.NaN } = (calls.at(-1) ?? {}) as Partial<ResourceTiming>
    return { startTime, responseStart }
  })
  return { callMs: call.startTime - sentAt, byteMs: call.responseStart - sentAt, pageMs, paintMs }
}

interface ResourceTiming {
  readonly startTime: number
  readonly responseStart: number
}
