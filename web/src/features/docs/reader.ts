import { createContext, useContext } from 'react'
import type { ExampleLanguage, ExampleValues } from './examples/index.ts'

/** Who reads the page: what their examples are filled with, and the language that they chose for all of them. */
export interface Reader {
  readonly values: ExampleValues
  readonly language: ExampleLanguage
  chooseLanguage(language: ExampleLanguage): void
  readonly signedIn: boolean
  /** A key that was created on this page; null before. */
  readonly madeKey: string | null
  takeKey(secret: string): void
  readonly paths: DocsPaths
  /** Leads to sign-in and back to a section. */
  signIn(section: string): void
}

/** Where the page leads to. */
export interface DocsPaths {
  readonly home: string
  readonly keys: string
  readonly usage: string
}

/** The reader of the page, for everything in it. */
export const ReaderContext = createContext<Reader | null>(null)

/** The reader of the page. Throws outside of it. */
export function useReader(): Reader {
  const reader = useContext(ReaderContext)
  if (reader === null) throw new Error('There is no page of documentation around this')
  return reader
}
