import { createContext } from 'react'
import { createStore } from 'zustand/vanilla'
import { speechParts } from './speech-parts.ts'

/** The page's speech output with the browser's voices, which reads one message at a time; null without speech synthesis. */
export function createReader({ speechSynthesis: voice }: Partial<Pick<Window, 'speechSynthesis'>>) {
  if (!voice) return null
  /** The message being read; null when silent. */
  const store = createStore<{ key: string | null }>(() => ({ key: null }))
  const stop = () => {
    store.setState({ key: null })
    voice.cancel()
  }
  return {
    store,
    stop,
    /** Reads a Markdown text, and stops the current one. */
    read: (key: string, markdown: string, fallbackLanguage: string): void => {
      stop()
      const parts = speechParts(markdown, fallbackLanguage)
      if (parts.length === 0) return
      store.setState({ key })
      const finished = () => {
        if (store.getState().key === key) store.setState({ key: null })
      }
      for (const [index, { text, language }] of parts.entries()) {
        const utterance = new SpeechSynthesisUtterance(text)
        utterance.lang = language
        if (index === parts.length - 1) utterance.onend = finished
        utterance.onerror = finished
        voice.speak(utterance)
      }
    },
  }
}

export type Reader = NonNullable<ReturnType<typeof createReader>>

/** The page's reader; null if unavailable. */
export const ReaderContext = createContext<Reader | null>(null)
