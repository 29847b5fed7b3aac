/** Where the picker finds names and tags of a language. */
export interface EmojiSource {
  readonly emojibaseUrl: string
  /** As the picker knows it. */
  readonly locale: string
}

/** The data of a language of the product, all of which are served with the application. The picker knows no Arabic, so that has a place of its own. */
export const emojiSource = (locale: string): EmojiSource =>
  locale === 'ar' ? { emojibaseUrl: '/emoji/ar', locale: 'en' } : { emojibaseUrl: '/emoji', locale }

const prefix = 'frimousse/data/'

/** Takes the data of other languages out of what the browser keeps: all of them together would fill it. */
export function dropOtherEmoji({ emojibaseUrl, locale }: EmojiSource): void {
  try {
    const own = `${prefix}${emojibaseUrl}/${locale}`
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(prefix) && key !== own) localStorage.removeItem(key)
    }
  } catch {
    // Storage may be forbidden; then nothing is kept.
  }
}
