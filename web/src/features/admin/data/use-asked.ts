import { useRef, useState } from 'react'
import type { ReportFailure } from './use-act.ts'

/**
 * The dialog of an action that needs input or confirmation. If the action fails, the dialog stays open with the error, for another try.
 * @param remaining reduces the question to those of its items, by index, for which the action failed
 */
export function useAsked<Question>(remaining: (question: Question, failed: readonly number[]) => Question = keepAll) {
  const [asked, setAsked] = useState<Question | null>(null)
  const [failure, setFailure] = useState<string>()
  const open = useRef<Question | null>(null)
  const show = (question: Question | null, text?: string) => {
    open.current = question
    setAsked(question)
    setFailure(text)
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
  return { asked, ask: (question: Question | null) => show(question), failure, failureReporter }
}

const keepAll = <Question>(question: Question): Question => question
