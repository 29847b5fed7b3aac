import { draftOf, type ThreadState } from '../state/thread-state.ts'

/**
 * Returns the text of an edit to the composer when its question is no longer shown, as after another tab has replaced it. `before`: the state in which it
 * was shown.
 */
export function returnEdit(state: ThreadState, before: ThreadState): ThreadState {
  const { editing, messages } = state
  if (editing === null || messages.some(({ key }) => key === editing.key)) return state
  const question = before.messages.find(({ key }) => key === editing.key)
  const isChanged = question !== undefined && editing.text.trim() !== '' && editing.text !== question.content
  const returned = isChanged ? { ...draftOf(question), text: editing.text } : state.returned
  return { ...state, editing: null, returned }
}
