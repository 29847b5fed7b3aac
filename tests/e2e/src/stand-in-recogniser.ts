import type { Page } from 'playwright-core'

/** Stands in for the browser's speech service, which headless Chromium cannot reach: it hears what the test says, and behaves like Chrome's. */
const standIn = `{
  let now = null
  class Recogniser {
    start() {
      now = this
      this.heard = []
    }
    hear(phrases) {
      this.heard = phrases
      this.onresult?.({ results: phrases.map(([transcript, isFinal]) => Object.assign([{ transcript }], { isFinal })) })
    }
    stop() {
      // Stopping makes interim results final.
      if (this.heard.some(([, isFinal]) => !isFinal)) this.hear(this.heard.map(([words]) => [words + '.', true]))
      this.end()
    }
    abort() {
      this.onerror?.({ error: 'aborted' })
      this.end()
    }
    end() {
      if (now === this) now = null
      this.onend?.()
    }
    fail(error) {
      this.onerror?.({ error })
      this.end()
    }
  }
  Object.defineProperty(Recogniser, 'now', { get: () => now })
  delete globalThis.SpeechRecognition
  globalThis.webkitSpeechRecognition = Recogniser
}`

interface Recogniser {
  readonly lang: string
  hear(phrases: readonly Phrase[]): void
  fail(error: string): void
}
declare const webkitSpeechRecognition: { readonly now: Recogniser | null }

/** The words of a phrase, and whether they are final. */
type Phrase = readonly [words: string, isFinal: boolean]

/** Installs the stand-in in all pages loaded from now on. */
export const addRecogniser = (page: Page) => page.addInitScript({ content: standIn })

/** Removes the browser's recogniser from all pages loaded from now on. */
export const removeRecogniser = (page: Page) =>
  page.addInitScript({ content: 'delete globalThis.SpeechRecognition; delete globalThis.webkitSpeechRecognition' })

/** The language being recognised; null when the recogniser is not running. */
export const listensFor = (page: Page): Promise<string | null> =>
  page.evaluate(() => webkitSpeechRecognition.now?.lang ?? null)

/** Sets the phrases recognised since the start. */
export const speak = (page: Page, ...phrases: Phrase[]): Promise<void> =>
  page.evaluate((all) => webkitSpeechRecognition.now?.hear(all), phrases)

/** Ends recognition with an error code of the specification. */
export const failToHear = (page: Page, error: string): Promise<void> =>
  page.evaluate((name) => webkitSpeechRecognition.now?.fail(name), error)
