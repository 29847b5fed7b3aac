import { createContext } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { speechParts } from './speech-parts.ts'

/** The page's speech output; it reads one message at a time. */
export interface Reader {
  /** The message being read; null when silent. */
  readonly store: StoreApi<{ readonly key: string | null }>
  /** Reads a Markdown text, and stops the current one. */
  read(key: string, markdown: string, fallbackLanguage: string): void
  stop(): void
}

/** Creates a reader with the browser's voices; null without speech synthesis. */
export function createReader({ speechSynthesis: voice }: Partial<Pick<Window, 'speechSynthesis'>>): Reader | null {
  if (!voice) return null
  const store = createStore<{ key: string | null }>(() => ({ key: null }))
  const stop = () => {
    store.setState({ key: null })
    voice.cancel()
  }
  return {
    store,
    stop,
    read: (key, markdown, fallbackLanguage) => {
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

/** The page's reader; null if unavailable. */
export const ReaderContext = createContext<Reader | null>(null)
