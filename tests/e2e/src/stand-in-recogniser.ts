import type { Page } from 'playwright-core'

/** The browser's speech service is an outsider, which a headless Chromium cannot reach: this one hears what a test says, as Chrome does. */
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
      // What was said until now is made final.
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

/** Words of a phrase, and whether they are final. */
type Phrase = readonly [words: string, isFinal: boolean]

/** Gives the pages that are loaded next the stand-in. */
export const addRecogniser = (page: Page) => page.addInitScript({ content: standIn })

/** Takes the browser's recogniser away from the pages that are loaded next. */
export const removeRecogniser = (page: Page) =>
  page.addInitScript({ content: 'delete globalThis.SpeechRecognition; delete globalThis.webkitSpeechRecognition' })

/** The language that is listened for; null while nothing listens. */
export const listensFor = (page: Page): Promise<string | null> =>
  page.evaluate(() => webkitSpeechRecognition.now?.lang ?? null)

/** Has the recogniser hear all of these phrases since it was started. */
export const speak = (page: Page, ...phrases: Phrase[]): Promise<void> =>
  page.evaluate((all) => webkitSpeechRecognition.now?.hear(all), phrases)

/** Has the recogniser end with an error, as the specification names it. */
export const failToHear = (page: Page, error: string): Promise<void> =>
  page.evaluate((name) => webkitSpeechRecognition.now?.fail(name), error)
