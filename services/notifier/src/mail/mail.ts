import type { Locale } from '@parley/contracts'

/** A mail ready to be sent. */
export interface Mail {
  /** Without angle brackets; the same for every attempt. */
  readonly messageId: string
  readonly to: { readonly name: string; readonly address: string }
  readonly locale: Locale
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The recipient of a mail. */
export interface Recipient {
  readonly to: string
  readonly username: string
  readonly locale: Locale
}

/** The content of a mail before rendering. All texts are plain, not markup. */
export interface MailContent {
  /** One line. */
  readonly subject: string
  /** From top to bottom. */
  readonly parts: readonly MailPart[]
  /** The last lines. */
  readonly footer: string
}
/** A part of a mail: `code` is emphasized, `button` is a link whose URL is also printed below, `note` is small print. */
export type MailPart =
  | { readonly paragraph: string }
  | { readonly note: string }
  | { readonly code: string }
  | { readonly button: string; readonly link: string; readonly otherwise: string }

/** When something happened to an account, and where its owner may react. */
export interface Notice {
  readonly at: Date
  readonly resetLink: string
}

/** The facts in each kind of mail, apart from the recipient. Links are absolute. */
export interface MailFacts {
  verification: { readonly code: string; readonly minutes: number }
  'password-reset': { readonly link: string; readonly minutes: number }
  'password-changed': Notice
  'identity-linked': Notice
  'email-changed': { readonly changedAt: Date }
  'credit-warning': { readonly usagePercentage: number; readonly resetDate: Date; readonly link: string }
  'data-export': { readonly link: string; readonly expiresAt: Date }
  'account-deleted': { readonly erasedAt: Date }
}
