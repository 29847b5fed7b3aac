import type { ChatInfo } from '@parley/contracts'

/** Counts of a chat, as this page or the server knows them. */
export interface Facts {
  /** Null for a new chat, and for a guest's. */
  readonly chatId: string | null
  readonly messages: { readonly total: number; readonly user: number; readonly assistant: number }
  readonly tokens: { readonly input: number; readonly output: number; readonly total: number }
  /** False when any of them had to be estimated. */
  readonly tokensAccurate: boolean
}

/** One line of the panel: a label and its value as people read them. */
export interface Line {
  readonly label: string
  readonly value: string
}

/** A part of the panel under a heading. */
export interface Section {
  readonly title: string
  readonly lines: readonly Line[]
}

/** Tokens of an average message; 0 without any. */
export const averageOf = ({ messages, tokens }: Facts): number =>
  messages.total === 0 ? 0 : tokens.total / messages.total

/** What the server counted, where it did: it knows all versions and pages, the page only what it shows. */
export const mergeFacts = (shown: Facts, counted: ChatInfo | undefined): Facts =>
  counted === undefined || counted.chatId !== shown.chatId ? shown : counted

/** The panel as plain text, for a bug report or a note. */
export const textOf = (sections: readonly Section[]): string =>
  sections
    .map(({ title, lines }) => [title, ...lines.map(({ label, value }) => `${label}: ${value}`)].join('\n'))
    .join('\n\n')
