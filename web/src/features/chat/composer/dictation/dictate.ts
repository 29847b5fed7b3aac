import { type Heard, hear, placeIn } from './dictated-text.ts'
import { type DictationFailure, failureOf } from './dictation-failure.ts'
import { historyOf } from './dictation-history.ts'
import type { Recogniser } from './recogniser.ts'

/** Changes the current text. */
export type Edit = (next: (now: string) => string) => void

export type Dictating = ReturnType<typeof dictate>

/** Events that may move the caret. */
const moves = ['pointerdown', 'keydown'] as const

interface Options {
  readonly recogniser: Recogniser
  readonly field: HTMLTextAreaElement
  readonly edit: Edit
  /** Called once. */
  readonly onEnd: (failure: DictationFailure | null) => void
}

/** Writes recognised speech at the caret of a field. Nothing is sent automatically. */
export function dictate({ recogniser, field, edit, onEnd }: Options) {
  const history = historyOf(field, (text) => edit(() => text))
  const { form, selectionStart, selectionEnd } = field
  let place = placeIn(field.value, selectionStart, selectionEnd, 0)
  /** The text after the last result; a different one means that the user has edited it. */
  let left = field.value
  let count = 0
  /** The caret may have moved. */
  let isMoved = false
  let isStopping = false
  let failure: DictationFailure | null = null
  let isOver = false

  const take = (heard: readonly Heard[]) =>
    edit((now) => {
      // Keeps the user's edit with the words it concerns, and continues at the caret.
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
    // Words that never became final are kept, too.
    const from = place.before + place.after
    if (left !== from) history.add({ from, to: left })
    // Silence after words is the normal end of a dictation.
    onEnd(failure === 'silence' && count > 0 ? null : failure)
  }
  /** Stops immediately; the written text is kept. */
  const abort = () => {
    recogniser.abort()
    end()
  }
  const onVisibility = () => {
    if (document.hidden) abort()
  }

  const onMove = (event: Event) => {
    isMoved = true
    // Words spoken after a message was sent are not written.
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
  /** Stops once the words spoken so far are written. */
  const stop = () => {
    // A recogniser that does not end when stopped is aborted.
    if (isStopping) return abort()
    isStopping = true
    recogniser.stop()
  }
  return { stop, abort }
}

/** Waits until the text is rendered, which moves the caret to the end. */
function moveCaret(field: HTMLTextAreaElement, text: string, caret: number): void {
  requestAnimationFrame(() => {
    // In some browsers this focuses the field, which would open a phone's keyboard.
    if (field.value === text && document.activeElement === field) field.setSelectionRange(caret, caret)
  })
}
