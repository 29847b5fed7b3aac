/** A result of a recogniser: what it heard of a phrase, which it may still change until it is final. */
export interface Heard {
  readonly words: string
  readonly isFinal: boolean
}

/** Where dictated words go: what stands before and behind them, and how many results are not to be looked at any more. */
export interface Place {
  readonly before: string
  readonly after: string
  readonly settled: number
}

/** A change of the text that can be taken back. */
export interface Step {
  readonly from: string
  readonly to: string
}

/** The text with what was heard in it. */
export interface Dictated {
  readonly text: string
  /** Where the words end. */
  readonly caret: number
  /** Where the next words go. */
  readonly place: Place
  /** What became final. */
  readonly step: Step | null
}

/** A place in a text, in the place of what is selected. */
export const placeIn = (text: string, start: number, end: number, settled: number): Place => ({
  before: text.slice(0, start),
  after: text.slice(end),
  settled,
})

/** The text once a recogniser has heard all of `heard` since it was started. */
export function hear({ before, after, settled }: Place, heard: readonly Heard[]): Dictated {
  const open = heard.slice(settled)
  const firstOpen = open.findIndex(({ isFinal }) => !isFinal)
  const finals = firstOpen < 0 ? open : open.slice(0, firstOpen)
  const fixed = written(before, finals)
  const whole = written(fixed, open.slice(finals.length))
  const rest = whole === before ? after : withGap(whole, after)
  const place = {
    before: fixed,
    after: fixed === before ? after : withGap(fixed, after),
    settled: settled + finals.length,
  }
  const step = fixed === before ? null : { from: before + after, to: fixed + place.after }
  return { text: whole + rest, caret: whole.length, place, step }
}

const written = (before: string, heard: readonly Heard[]): string =>
  heard.reduce((text, { words }) => (words.trim() === '' ? text : withGap(text, words.trim(), true)), before)

/** Writing that has no spaces between words. */
const isUnspaced = (sign: string): boolean =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]/u.test(sign)

/** Joins words to a text, or only says what comes behind it, with a space where one is missing. */
function withGap(text: string, next: string, joined = false): string {
  const last = [...text].at(-1) ?? ' '
  const first = [...next][0] ?? ' '
  const isTight = /[\s([{«“„‘¿¡]/u.test(last) || /[\s)\]}».,;:!?…”’،؛؟]/u.test(first)
  const gap = isTight || isUnspaced(last) || isUnspaced(first) ? '' : ' '
  return `${joined ? text : ''}${gap}${next}`
}
