import type { Locale } from '@parley/contracts'

/** A mail as it leaves. */
export interface Mail {
  /** Without angle brackets; the same however often it is tried. */
  readonly messageId: string
  readonly to: { readonly name: string; readonly address: string }
  readonly locale: Locale
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** What a mail says, before it is laid out. */
export interface MailContent {
  readonly subject: string
  /** Shown one below the other; `code` stands out. */
  readonly parts: readonly MailPart[]
}
/** A part of a mail. */
export type MailPart = { readonly paragraph: string } | { readonly code: string }

/** The texts of every mail in one language. */
export interface MailTexts {
  verification(about: { username: string; code: string; minutes: number }): MailContent
  emailChanged(about: { username: string; changedAt: Date }): MailContent
  /** The last line of every mail. @param origin where people reach the product */
  footer(origin: string): string
}
