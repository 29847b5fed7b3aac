import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { printPage } from './print-page.ts'
import { drawBeforePrinting } from './printing.ts'

const done = vi.hoisted(() => [] as string[])
vi.mock('./markdown/markdown-components.tsx', () => ({ prepareDiagrams: async () => undefined }))
vi.mock('./message/answer-text.tsx', () => ({ prepareMarkdown: async () => undefined }))
vi.mock('./printing.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('./printing.ts')>()),
  setPrinting: (printing: boolean) => done.push(printing ? 'paper' : 'screen'),
}))
beforeEach(() => {
  done.length = 0
  vi.stubGlobal('window', { print: () => done.push('printed') })
  vi.stubGlobal('document', { querySelectorAll: () => [] })
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => run())
})
afterEach(() => void vi.unstubAllGlobals())

it('a page is printed once all is drawn', async () => {
  drawBeforePrinting(delay(0).then(() => done.push('drawn')))
  await printPage(() => true)
  expect(done).toEqual(['paper', 'drawn', 'printed'])
})

it('a page that is left while it is being drawn is not printed, and the screen shows no paper', async () => {
  let isShown = true
  drawBeforePrinting(
    delay(0).then(() => {
      isShown = false
    }),
  )
  await printPage(() => isShown)
  expect(done).toEqual(['paper', 'screen'])
})
