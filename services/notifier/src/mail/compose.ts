import { authInternalRoutes, type MailKind } from '@parley/contracts'
import { isAppError, type ServiceClient } from '@parley/kit'
import { z } from 'zod'
import type { Delivery } from '../store/delivery-store.ts'
import type { Mail, MailFacts, Recipient } from './mail.ts'
import { writeMail } from './write.ts'

const minuteMs = 60_000

export interface ComposeDeps {
  /** Calls auth. */
  readonly client: ServiceClient
  readonly publicUrl: string
  readonly now: () => Date
}
type About = Pick<Delivery, 'subjectId' | 'about'>
/** Reads a mail's recipient and facts from auth, which creates codes and the tokens of links in this call. */
type Gather<K extends MailKind> = (deps: ComposeDeps, about: About) => Promise<{ to: Recipient; facts: MailFacts[K] }>

/**
 * Composes a delivery's mail. Auth creates a new code or token for each attempt, so that a delayed mail carries a valid one.
 * @returns undefined when there is no recipient any more
 * @throws AppError unavailable when auth cannot be reached
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

async function notice({ client, publicUrl }: ComposeDeps, { subjectId: id, about }: About) {
  const to = await client.call(authInternalRoutes.recipient, { params: { id } })
  return { to, facts: { ...momentAbout.parse(about), resetLink: linkTo(publicUrl, '/password-reset') } }
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
  'password-changed': notice,
  'identity-linked': notice,
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
    // In the fragment, which browsers do not send: the page reads it and posts the token, so that it appears in no access log.
    const link = `${linkTo(publicUrl, '/data-export')}#${queryOf({ id, token })}`
    return { to, facts: { link, expiresAt: new Date(expiresAt) } }
  },
  async 'account-deleted'({ client }, { subjectId: id }) {
    const { erasedAt, ...to } = await client.call(authInternalRoutes.erasure, { params: { id } })
    return { to, facts: { erasedAt: new Date(erasedAt) } }
  },
}

// The schemas of `about`, as the consumer stores it from the event.
const momentAbout = z.object({ at: z.coerce.date() })
const creditWarningAbout = z.object({ usagePercentage: z.number(), resetDate: z.coerce.date() })

const minutesUntil = (moment: string, now: Date): number =>
  Math.max(1, Math.round((Date.parse(moment) - now.getTime()) / minuteMs))

/** A link on the configured origin, regardless of the headers of the request that caused the mail. */
function linkTo(publicUrl: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const asked = queryOf(query)
  return `${new URL(publicUrl).origin}${path}${asked && `?${asked}`}`
}

const queryOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
