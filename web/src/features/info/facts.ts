import type { ChatInfo } from '@parley/contracts'
import { labelled } from '../../shared/labelled.ts'

/** Counts of a chat, from this page or the server. */
export interface Facts extends Pick<ChatInfo, 'messages' | 'tokens' | 'tokensAccurate'> {
  /** Null for a new chat, and for a guest's. */
  readonly chatId: string | null
}

export interface Line {
  readonly label: string
  readonly value: string
}

export interface Section {
  readonly title: string
  readonly lines: readonly Line[]
}

/** Tokens of an average message; 0 without messages. */
export const averageOf = ({ messages, tokens }: Facts): number =>
  messages.total === 0 ? 0 : tokens.total / messages.total

/** The server's counts where available: the server knows all versions and pages, this page only the loaded ones. */
export const mergeFacts = (shown: Facts, counted: ChatInfo | undefined): Facts =>
  counted === undefined || counted.chatId !== shown.chatId ? shown : counted

/** The panel as plain text, for a bug report or a note. */
export const textOf = (sections: readonly Section[], locale: string): string =>
  sections
    .map(({ title, lines }) => [title, ...lines.map(({ label, value }) => labelled(label, locale, value))].join('\n'))
    .join('\n\n')
