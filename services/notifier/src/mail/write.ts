import type { MailKind } from '@parley/contracts'
import { layOut } from './layout.ts'
import type { Mail, MailFacts, Recipient } from './mail.ts'
import { contentOf } from './texts.ts'

/** The origin and identity of a mail. */
export interface MailFrame {
  /** The only origin that mails link to. */
  readonly publicUrl: string
  /** The Message-ID is derived from it. */
  readonly eventId: string
}

/** Longer names are truncated in mails. */
const longestName = 100

/** Writes a mail from its facts. Pure. Names are untrusted: they are put on one line and never treated as markup. */
export function writeMail<K extends MailKind>(
  kind: K,
  { publicUrl, eventId }: MailFrame,
  recipient: Recipient,
  facts: MailFacts[K],
): Mail {
  const { origin, hostname } = new URL(publicUrl)
  const username = onOneLine(recipient.username).slice(0, longestName)
  const { locale } = recipient
  const content = contentOf(kind, { locale, username, origin }, facts)
  return {
    messageId: `${eventId}@${hostname}`,
    to: { name: username, address: recipient.to },
    locale,
    subject: onOneLine(content.subject),
    ...layOut(content, locale),
  }
}

const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
