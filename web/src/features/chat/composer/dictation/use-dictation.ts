import { useState } from 'react'
import type { Dictating } from './dictate.ts'

/** Whether the browser turns speech into text. */
export const canDictate = 'SpeechRecognition' in globalThis || 'webkitSpeechRecognition' in globalThis

/** The dictation of a composer: how often it was asked for, and the one that goes on. */
export function useDictation() {
  const [run, setRun] = useState(0)
  const [running, setRunning] = useState<Dictating | null>(null)
  return { run, running, setRunning, toggle: () => (running ? running.stop() : setRun(run + 1)) }
}

/** The dictation as it stands. */
export type DictationState = ReturnType<typeof useDictation>
