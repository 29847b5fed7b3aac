import { useRef, useState } from 'react'
import { useText, type Wording } from '../../../shared/i18n/index.ts'
import type { ReportFailure } from './use-act.ts'

/**
 * The dialog of an action that needs input or confirmation. If the action fails, the dialog stays open with the error, for another try.
 * @param remaining reduces the question to those of its items, by index, for which the action failed
 */
export function useAsked<Question>(remaining: (question: Question, failed: readonly number[]) => Question = keepAll) {
  const [asked, setAsked] = useState<Question | null>(null)
  const { t } = useText()
  const [failure, setFailure] = useState<{ readonly words: Wording }>()
  const open = useRef<Question | null>(null)
  const show = (question: Question | null, words?: Wording) => {
    open.current = question
    setAsked(question)
    setFailure(words && { words })
  }
  /** A reporter for one try, which first clears the previous failure. Undefined if no dialog is open. */
  const failureReporter = (): ReportFailure | undefined => {
    const question = open.current
    if (question === null) return undefined
    setFailure(undefined)
    return ({ text, places }) => {
      if (open.current !== question) return false
      show(remaining(question, places), text)
      return true
    }
  }
  return { asked, ask: (question: Question | null) => show(question), failure: failure?.words(t), failureReporter }
}

const keepAll = <Question>(question: Question): Question => question
