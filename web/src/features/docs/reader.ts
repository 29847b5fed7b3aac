import { createContext, useContext } from 'react'
import type { ExampleLanguage, ExampleName, ExampleValues } from './examples/index.ts'

/** The reader of the page: the values for their examples, and their language for all of them. */
export interface Reader {
  readonly values: ExampleValues
  /** Examples that would fail, because there is no model for them. */
  readonly lacking: ReadonlySet<ExampleName>
  readonly language: ExampleLanguage
  chooseLanguage(language: ExampleLanguage): void
  readonly signedIn: boolean
  /** A key created on this page; null before. */
  readonly madeKey: string | null
  takeKey(secret: string): void
  readonly paths: DocsPaths
  /** Goes to sign-in and returns to a section. */
  signIn(section: string): void
}

/** Paths that the page links to. */
export interface DocsPaths {
  readonly home: string
  readonly keys: string
  readonly usage: string
}

/** The page's reader, for its components. */
export const ReaderContext = createContext<Reader | null>(null)

/** The page's reader. Throws outside of the page. */
export function useReader(): Reader {
  const reader = useContext(ReaderContext)
  if (reader === null) throw new Error('There is no page of documentation around this')
  return reader
}
