import type { MailKind } from '@parley/contracts'
import { layOut } from './layout.ts'
import type { Mail, MailFacts, Recipient } from './mail.ts'
import { contentOf } from './texts.ts'

/** Longer names are truncated in mails. */
const longestName = 100

/**
 * Writes a mail from its facts. Pure. Names are untrusted: they are put on one line and never treated as markup.
 * @param frame the only origin that mails link to, and the id that the Message-ID is derived from
 */
export function writeMail<K extends MailKind>(
  kind: K,
  frame: { readonly publicUrl: string; readonly eventId: string },
  recipient: Recipient,
  facts: MailFacts[K],
): Mail {
  const { origin, hostname } = new URL(frame.publicUrl)
  const username = onOneLine(recipient.username).slice(0, longestName)
  const { locale } = recipient
  const content = contentOf(kind, { locale, username, origin }, facts)
  return {
    messageId: `${frame.eventId}@${hostname}`,
    to: { name: username, address: recipient.to },
    locale,
    subject: onOneLine(content.subject),
    ...layOut(content, locale),
  }
}

const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
