/** Where the picker loads the names and tags of a language from. */
export interface EmojiSource {
  readonly emojibaseUrl: string
  readonly locale: string
}

/** The emoji data of an interface language, served with the application. The picker does not support Arabic, whose data has a folder of its own. */
export const emojiSource = (locale: string): EmojiSource =>
  locale === 'ar' ? { emojibaseUrl: '/emoji/ar', locale: 'en' } : { emojibaseUrl: '/emoji', locale }

const prefix = 'frimousse/data/'

/** Removes the data of other languages from local storage, which all of them together would fill. */
export function dropOtherEmoji({ emojibaseUrl, locale }: EmojiSource): void {
  try {
    const own = `${prefix}${emojibaseUrl}/${locale}`
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(prefix) && key !== own) localStorage.removeItem(key)
    }
  } catch {
    // Storage may be forbidden; then nothing is stored.
  }
}
