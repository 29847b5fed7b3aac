import type { MailKind } from '@parley/contracts'
import { layOut } from './layout.ts'
import type { Mail, MailFacts, Recipient } from './mail.ts'
import { contentOf } from './texts.ts'

/** Where a mail comes from and what makes it one. */
export interface MailFrame {
  /** The only place that mails name. */
  readonly publicUrl: string
  /** Makes the Message-ID. */
  readonly eventId: string
}

/** Longer names are cut in a mail. */
const longestName = 100

/** Writes a mail of a kind out of its facts. Pure. Names are data: on one line, and never markup. */
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
