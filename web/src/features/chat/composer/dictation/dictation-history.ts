import type { Step } from './dictated-text.ts'

/** Undo and redo of dictated steps in a field. */
export function createDictationHistory() {
  const done: Step[] = []
  const undone: Step[] = []
  return {
    add: (step: Step): void => {
      done.push(step)
      undone.length = 0
    },
    /** The text before the last step; null if `text` has been changed since. */
    undo: (text: string): string | null => {
      if (done.at(-1)?.to !== text) return null
      const step = done.pop() as Step
      undone.push(step)
      return step.from
    },
    /** The text after the last undone step; null if `text` has been changed since. */
    redo: (text: string): string | null => {
      if (undone.at(-1)?.from !== text) return null
      const step = undone.pop() as Step
      done.push(step)
      return step.to
    },
  }
}

type DictationHistory = ReturnType<typeof createDictationHistory>
const histories = new WeakMap<HTMLTextAreaElement, DictationHistory>()

/** The history of a field, which handles its undo and redo keys: a controlled field loses the browser's own history. */
export function historyOf(field: HTMLTextAreaElement, write: (text: string) => void): DictationHistory {
  const known = histories.get(field)
  if (known) return known
  const history = createDictationHistory()
  histories.set(field, history)
  field.addEventListener('keydown', (event) => {
    const wanted = event.isComposing ? null : wantedOf(event)
    const text = wanted && history[wanted](field.value)
    if (text === null) return
    event.preventDefault()
    event.stopPropagation()
    write(text)
  })
  return history
}

function wantedOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): 'undo' | 'redo' | null {
  if (altKey || !(ctrlKey || metaKey)) return null
  if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo'
  return key.toLowerCase() === 'y' && !shiftKey ? 'redo' : null
}
