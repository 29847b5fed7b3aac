import { useEffect, useRef, useState } from 'react'
import type { Strength, StrengthAnswer, StrengthQuestion } from './strength.ts'

/** Debounce delay in milliseconds, so that screen readers do not announce every letter. */
const restMs = 250

/**
 * The strength of the typed password; null if it is empty or not known yet. The word lists are large: a worker loads them with the first
 * letter, so that typing never waits, and if that fails no strength is shown.
 * @param context the user's own words: name and address
 */
export function useStrength(password: string, context: readonly string[]): Strength | null {
  const worker = useRef<Worker | null>(null)
  const asked = useRef(0)
  const [strength, setStrength] = useState<Strength | null>(null)
  const words = context.join('\n')
  useEffect(
    () => () => {
      worker.current?.terminate()
      worker.current = null
    },
    [],
  )
  useEffect(() => {
    asked.current += 1
    const nth = asked.current
    if (password === '') {
      setStrength(null)
      return
    }
    worker.current ??= openWorker()
    if (worker.current === null) return
    worker.current.onmessage = ({ data }: MessageEvent<StrengthAnswer>) => {
      if (data.nth === asked.current) setStrength(data.strength)
    }
    const question: StrengthQuestion = { nth, password, context: words.split('\n') }
    const timer = setTimeout(() => worker.current?.postMessage(question), restMs)
    return () => clearTimeout(timer)
  }, [password, words])
  return strength
}

function openWorker(): Worker | null {
  try {
    return new Worker(new URL('./strength-worker.ts', import.meta.url), { type: 'module' })
  } catch {
    return null
  }
}
