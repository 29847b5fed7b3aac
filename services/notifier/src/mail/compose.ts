import { authInternalRoutes } from '@parley/contracts'
import { isAppError, type ServiceClient } from '@parley/kit'
import type { Delivery } from '../store/delivery-store.ts'
import { layOut, textsFor } from './layout.ts'
import type { Mail, MailContent } from './mail.ts'

const minuteMs = 60_000

/** What writing a mail uses. */
export interface ComposeDeps {
  /** To ask auth. */
  readonly client: ServiceClient
  readonly publicUrl: string
  readonly now: () => Date
}

/**
 * Writes a delivery's mail. For a verification auth makes a new code each time, so that a late mail carries a live one.
 * @returns undefined when there is nothing to tell any more
 * @throws AppError unavailable when auth cannot be asked
 */
export async function composeMail(deps: ComposeDeps, delivery: Delivery): Promise<Mail | undefined> {
  try {
    return delivery.kind === 'verification'
      ? await verificationMail(deps, delivery)
      : await emailChangedMail(deps, delivery)
  } catch (error) {
    if (isAppError(error, 'not_found')) return undefined
    throw error
  }
}

async function verificationMail(deps: ComposeDeps, delivery: Delivery): Promise<Mail> {
  const issued = await deps.client.call(authInternalRoutes.issueCode, { params: { id: delivery.subjectId } })
  const minutes = Math.round((Date.parse(issued.expiresAt) - deps.now().getTime()) / minuteMs)
  return finish(deps, delivery, issued, textsFor(issued.locale).verification({ ...issued, minutes }))
}

async function emailChangedMail(deps: ComposeDeps, delivery: Delivery): Promise<Mail> {
  const change = await deps.client.call(authInternalRoutes.emailChange, { params: { id: delivery.subjectId } })
  const content = textsFor(change.locale).emailChanged({ ...change, changedAt: new Date(change.changedAt) })
  return finish(deps, delivery, change, content)
}

type Recipient = Pick<Mail, 'locale'> & { readonly to: string; readonly username: string }

function finish({ publicUrl }: ComposeDeps, { eventId }: Delivery, recipient: Recipient, content: MailContent): Mail {
  const { origin, hostname } = new URL(publicUrl)
  const { locale, username, to } = recipient
  return {
    messageId: `${eventId}@${hostname}`,
    to: { name: username, address: to },
    locale,
    subject: content.subject,
    ...layOut(content, textsFor(locale).footer(origin), locale),
  }
}
