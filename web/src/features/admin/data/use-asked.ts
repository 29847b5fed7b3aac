import { useRef, useState } from 'react'
import type { ReportFailure } from './use-act.ts'

/**
 * What a dialog asks before it is done, and why that could not be done, which the dialog says and stays open for another try.
 * @param remaining the question about none but those of its things, by their places, that it could not be done with
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
  /** For one try: it begins without the failure of the one before. Undefined where no dialog asks. */
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
