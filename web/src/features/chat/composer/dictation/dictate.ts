import { type Heard, hear, placeIn } from './dictated-text.ts'
import { type DictationFailure, failureOf } from './dictation-failure.ts'
import { historyOf } from './dictation-history.ts'
import type { Recogniser } from './recogniser.ts'

/** Changes a text from what it is now. */
export type Edit = (next: (now: string) => string) => void

/** A dictation that goes on. */
export interface Dictating {
  /** Ends it once what was said until now is written. */
  stop(): void
  /** Ends it at once; what is written stays as it is. */
  abort(): void
}

/** What moves a cursor. */
const moves = ['pointerdown', 'keydown'] as const

interface Options {
  readonly recogniser: Recogniser
  readonly field: HTMLTextAreaElement
  readonly edit: Edit
  /** Called once. */
  readonly onEnd: (failure: DictationFailure | null) => void
}

/** Writes what a recogniser hears into a field, at its cursor. It only writes: what was dictated is sent by a person. */
export function dictate({ recogniser, field, edit, onEnd }: Options): Dictating {
  const history = historyOf(field, (text) => edit(() => text))
  const { form, selectionStart, selectionEnd } = field
  let place = placeIn(field.value, selectionStart, selectionEnd, 0)
  /** The text as it was left; another one means that a person wrote meanwhile. */
  let left = field.value
  let count = 0
  /** The cursor may be elsewhere by now. */
  let isMoved = false
  let isStopping = false
  let failure: DictationFailure | null = null
  let isOver = false

  const take = (heard: readonly Heard[]) =>
    edit((now) => {
      // What was written meanwhile stays, with the words that it is about, and dictation goes on at the cursor.
      const isBetween = left === place.before + place.after
      if (now !== left || (isMoved && isBetween)) {
        place = placeIn(now, field.selectionStart, field.selectionEnd, count)
      }
      isMoved = false
      const next = hear(place, heard)
      if (next.step) history.add(next.step)
      place = next.place
      left = next.text
      count = heard.length
      moveCaret(field, next.text, next.caret)
      return next.text
    })
  const end = () => {
    if (isOver) return
    isOver = true
    document.removeEventListener('visibilitychange', onVisibility)
    for (const type of moves) field.removeEventListener(type, onMove)
    form?.removeEventListener('submit', abort)
    // Words that never became final are there to stay, too.
    const from = place.before + place.after
    if (left !== from) history.add({ from, to: left })
    // Silence behind words is how dictation ends by itself.
    onEnd(failure === 'silence' && count > 0 ? null : failure)
  }
  const abort = () => {
    recogniser.abort()
    end()
  }
  const onVisibility = () => {
    if (document.hidden) abort()
  }

  const onMove = (event: Event) => {
    isMoved = true
    // What is said after a message was sent belongs to no message.
    if (event instanceof KeyboardEvent && event.key === 'Enter' && !event.shiftKey && !event.isComposing) abort()
  }

  recogniser.onresult = ({ results }) => {
    if (!isOver) take(Array.from(results, (one) => ({ words: one[0]?.transcript ?? '', isFinal: one.isFinal })))
  }
  recogniser.onerror = ({ error }) => {
    failure = failureOf(error)
  }
  recogniser.onend = end
  document.addEventListener('visibilitychange', onVisibility)
  for (const type of moves) field.addEventListener(type, onMove)
  form?.addEventListener('submit', abort)
  try {
    recogniser.start()
  } catch {
    failure = 'other'
    queueMicrotask(end)
  }
  const stop = () => {
    // What does not end when it is asked to is made to.
    if (isStopping) return abort()
    isStopping = true
    recogniser.stop()
  }
  return { stop, abort }
}

/** Once the text is drawn, which puts the caret at its end. */
function moveCaret(field: HTMLTextAreaElement, text: string, caret: number): void {
  requestAnimationFrame(() => {
    // Some browsers give a field the focus by this, which would open a keyboard on a phone.
    if (field.value === text && document.activeElement === field) field.setSelectionRange(caret, caret)
  })
}
