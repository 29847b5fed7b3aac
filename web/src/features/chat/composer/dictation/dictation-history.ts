import type { Step } from './dictated-text.ts'

/** What was dictated into a field, to be taken back and to be put there again. */
export interface DictationHistory {
  add(step: Step): void
  /** The text before the last step; null when `text` is not what that step made of it, as after anything else was written. */
  undo(text: string): string | null
  /** The text after the step that was taken back last; null when something else was written since. */
  redo(text: string): string | null
}

export function createDictationHistory(): DictationHistory {
  const done: Step[] = []
  const undone: Step[] = []
  return {
    add: (step) => {
      done.push(step)
      undone.length = 0
    },
    undo: (text) => {
      if (done.at(-1)?.to !== text) return null
      const step = done.pop() as Step
      undone.push(step)
      return step.from
    },
    redo: (text) => {
      if (undone.at(-1)?.from !== text) return null
      const step = undone.pop() as Step
      done.push(step)
      return step.to
    },
  }
}

const histories = new WeakMap<HTMLTextAreaElement, DictationHistory>()

/** The history of a field, whose usual keys for undo and redo it hears. A field that is drawn by its state loses the browser's own. */
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
