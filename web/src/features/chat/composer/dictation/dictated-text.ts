/** A phrase of the recogniser, which may change until it is final. */
export interface Heard {
  readonly words: string
  readonly isFinal: boolean
}

/** Where dictated words go: the text before and after them, and the number of results that are already written. */
export interface Place {
  readonly before: string
  readonly after: string
  readonly settled: number
}

/** An undoable change of the text. */
export interface Step {
  readonly from: string
  readonly to: string
}

/** The text with the dictated words. */
export interface Dictated {
  readonly text: string
  /** The end of the words. */
  readonly caret: number
  /** Where the next words go. */
  readonly place: Place
  /** The words that became final. */
  readonly step: Step | null
}

/** A place in a text, which replaces the selection. */
export const placeIn = (text: string, start: number, end: number, settled: number): Place => ({
  before: text.slice(0, start),
  after: text.slice(end),
  settled,
})

/** The text after all results since the start of the recogniser. */
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

/** Whether a script has no spaces between words. */
const isUnspaced = (sign: string): boolean =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]/u.test(sign)

/** Adds a space between two texts where needed; returns `next` with it, after `text` if `joined`. */
function withGap(text: string, next: string, joined = false): string {
  const last = [...text].at(-1) ?? ' '
  const first = [...next][0] ?? ' '
  const isTight = /[\s([{«“„‘¿¡]/u.test(last) || /[\s)\]}».,;:!?…”’،؛؟]/u.test(first)
  const gap = isTight || isUnspaced(last) || isUnspaced(first) ? '' : ' '
  return `${joined ? text : ''}${gap}${next}`
}
