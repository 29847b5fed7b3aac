import { useEffect, useRef, useState } from 'react'
import type { Strength, StrengthAnswer, StrengthQuestion } from './strength.ts'

/** Milliseconds of rest after which what was typed is looked at: a reader who listens is not told of every letter. */
const restMs = 250

/**
 * The strength of what is being typed; null while nothing is, and until it is known. The lists of words it takes are large: a worker loads them with the
 * first letter, so that typing never waits, and without them there is just no word about it.
 * @param context words of the person: their name, their address
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
