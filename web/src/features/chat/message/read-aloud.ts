import { createContext } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { speechParts } from './speech-parts.ts'

/** The voice of a page; it reads one message at a time. */
export interface Reader {
  /** Which message is being read; null in silence. */
  readonly store: StoreApi<{ readonly key: string | null }>
  /** Reads a Markdown text in place of what is being read. */
  read(key: string, markdown: string, fallbackLanguage: string): void
  stop(): void
}

/** A reader by the browser's voices; null where the browser has none. */
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

/** The page's reader; null where nothing can be read aloud. */
export const ReaderContext = createContext<Reader | null>(null)
