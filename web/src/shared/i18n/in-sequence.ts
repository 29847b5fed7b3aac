const endsInHan = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u
const endsInFullWidthMark = /[。！？]$/

/** The gap before another sentence: Japanese and Chinese have none, because their marks have room of their own. */
export const gapAfter = (sentence: string): string =>
  endsInHan.test(sentence) || endsInFullWidthMark.test(sentence) ? '' : ' '

/** Texts as sentences one after another, each but the last with the stop of its script; empty ones are left out. */
export const inSequence = (...texts: readonly string[]): string =>
  texts.filter((text) => text !== '').reduce((first, second) => `${stopped(first)}${gapAfter(first)}${second}`)

function stopped(text: string): string {
  if (/[.!?…]$/.test(text) || endsInFullWidthMark.test(text)) return text
  return endsInHan.test(text) ? `${text}。` : `${text}.`
}
