import { authInternalRoutes, type MailKind } from '@parley/contracts'
import { isAppError, type ServiceClient } from '@parley/kit'
import { z } from 'zod'
import type { Delivery } from '../store/delivery-store.ts'
import type { Mail, MailFacts, Recipient } from './mail.ts'
import { writeMail } from './write.ts'

const minuteMs = 60_000

export interface ComposeDeps {
  /** To ask auth. */
  readonly client: ServiceClient
  readonly publicUrl: string
  readonly now: () => Date
}
type About = Pick<Delivery, 'subjectId' | 'about'>
/** Finds out whom a mail goes to and what it tells; secrets of links and codes are made by auth at this moment. */
type Gather<K extends MailKind> = (deps: ComposeDeps, about: About) => Promise<{ to: Recipient; facts: MailFacts[K] }>

/**
 * Writes a delivery's mail. For a code or a link auth makes a new secret each time, so that a late mail carries a live one.
 * @returns undefined when there is nobody to tell any more
 * @throws AppError unavailable when auth cannot be asked
 */
export async function composeMail(deps: ComposeDeps, delivery: Delivery): Promise<Mail | undefined> {
  try {
    return await write(deps, delivery, delivery.kind)
  } catch (error) {
    if (isAppError(error, 'not_found')) return undefined
    throw error
  }
}

async function write<K extends MailKind>(deps: ComposeDeps, delivery: Delivery, kind: K): Promise<Mail> {
  const { to, facts } = await gatherers[kind](deps, delivery)
  return writeMail(kind, { publicUrl: deps.publicUrl, eventId: delivery.eventId }, to, facts)
}

const gatherers: { readonly [K in MailKind]: Gather<K> } = {
  async verification({ client, now }, { subjectId: id }) {
    const { code, expiresAt, ...to } = await client.call(authInternalRoutes.issueCode, { params: { id } })
    return { to, facts: { code, minutes: minutesUntil(expiresAt, now()) } }
  },
  async 'password-reset'({ client, publicUrl, now }, { subjectId: id }) {
    const { token, expiresAt, ...to } = await client.call(authInternalRoutes.issuePasswordReset, { params: { id } })
    const link = linkTo(publicUrl, '/password-reset', { token, email: to.to })
    return { to, facts: { link, minutes: minutesUntil(expiresAt, now()) } }
  },
  async 'password-changed'({ client, publicUrl }, { subjectId: id, about }) {
    const to = await client.call(authInternalRoutes.recipient, { params: { id } })
    const { at } = momentAbout.parse(about)
    return { to, facts: { changedAt: at, resetLink: linkTo(publicUrl, '/password-reset') } }
  },
  async 'identity-linked'({ client, publicUrl }, { subjectId: id, about }) {
    const to = await client.call(authInternalRoutes.recipient, { params: { id } })
    const { at } = momentAbout.parse(about)
    return { to, facts: { linkedAt: at, resetLink: linkTo(publicUrl, '/password-reset') } }
  },
  async 'email-changed'({ client }, { subjectId: id }) {
    const { changedAt, ...to } = await client.call(authInternalRoutes.emailChange, { params: { id } })
    return { to, facts: { changedAt: new Date(changedAt) } }
  },
  async 'credit-warning'({ client, publicUrl }, { subjectId: id, about }) {
    const to = await client.call(authInternalRoutes.recipient, { params: { id } })
    return { to, facts: { ...creditWarningAbout.parse(about), link: linkTo(publicUrl, '/') } }
  },
  async 'data-export'({ client, publicUrl }, { subjectId: id }) {
    const { token, expiresAt, ...to } = await client.call(authInternalRoutes.issueDataExportLink, { params: { id } })
    // Behind the #, which no browser sends: the page reads it and posts the token, so no log on the way has it.
    const link = `${linkTo(publicUrl, '/data-export')}#${queryOf({ id, token })}`
    return { to, facts: { link, expiresAt: new Date(expiresAt) } }
  },
  async 'account-deleted'({ client }, { subjectId: id }) {
    const { erasedAt, ...to } = await client.call(authInternalRoutes.erasure, { params: { id } })
    return { to, facts: { erasedAt: new Date(erasedAt) } }
  },
}

// As the consumer kept them of the event.
const momentAbout = z.object({ at: z.coerce.date() })
const creditWarningAbout = z.object({ usagePercentage: z.number(), resetDate: z.coerce.date() })

const minutesUntil = (moment: string, now: Date): number =>
  Math.max(1, Math.round((Date.parse(moment) - now.getTime()) / minuteMs))

/** A link of the product's own origin, whatever the request said that caused the mail. */
function linkTo(publicUrl: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const asked = queryOf(query)
  return `${new URL(publicUrl).origin}${path}${asked && `?${asked}`}`
}

const queryOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
