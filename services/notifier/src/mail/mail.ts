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

/** Whom a mail goes to. */
export interface Recipient {
  readonly to: string
  readonly username: string
  readonly locale: Locale
}

/** What a mail says, before it is laid out. Texts are plain; nothing in them is markup. */
export interface MailContent {
  /** One line. */
  readonly subject: string
  /** Shown one below the other. */
  readonly parts: readonly MailPart[]
  /** The last lines. */
  readonly footer: string
}
/** A part of a mail: `code` stands out, `button` is a link that also stands below in full, `note` is small. */
export type MailPart =
  | { readonly paragraph: string }
  | { readonly note: string }
  | { readonly code: string }
  | { readonly button: string; readonly link: string; readonly otherwise: string }

/** What each kind of mail tells, beside whom. Links are whole. */
export interface MailFacts {
  verification: { readonly code: string; readonly minutes: number }
  'password-reset': { readonly link: string; readonly minutes: number }
  'password-changed': { readonly changedAt: Date; readonly resetLink: string }
  'identity-linked': { readonly linkedAt: Date; readonly resetLink: string }
  'email-changed': { readonly changedAt: Date }
  'credit-warning': { readonly usagePercentage: number; readonly resetDate: Date; readonly link: string }
  'data-export': { readonly link: string; readonly expiresAt: Date }
  'account-deleted': { readonly erasedAt: Date }
}
