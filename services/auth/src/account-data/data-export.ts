import { eventOf } from '@parley/bus'
import { type authInternalRoutes, type DataExport, exportingServices } from '@parley/contracts'
import { AppError, type Call, notFound } from '@parley/kit'
import type { AuthParts } from '../parts.ts'
import { recipientOf } from '../present.ts'
import { exportCooldown, sessionEnded } from '../refusals.ts'
import { hashToken, randomToken } from '../secrets.ts'

/** Has a copy of all data of a user put together. @throws AppError email_unverified, cooldown, unauthenticated */
export async function requestExport(parts: AuthParts, userId: string): Promise<void> {
  const { dataExports } = parts.stores
  const id = parts.newId()
  const outcome = await dataExports.request(userId, await cooldownMinutes(parts), {
    id,
    services: exportingServices,
    requested: requestedEvent(parts, userId, id),
  })
  if (outcome === 'gone') throw sessionEnded()
  if (outcome === 'unverified') {
    throw new AppError(
      'email_unverified',
      'Please verify your email address first: the link to your data is sent there.',
    )
  }
  if (outcome !== 'requested') throw exportCooldown(outcome.retryAfterSeconds)
}

/** The last export of a user and when they may ask for another one, which is null when they may now. */
export async function lastExport(
  parts: AuthParts,
  userId: string,
): Promise<{ dataExport: DataExport | null; nextAllowedAt: string | null }> {
  const last = await parts.stores.dataExports.last(userId, await cooldownMinutes(parts))
  if (last === undefined) return { dataExport: null, nextAllowedAt: null }
  const { id, state, progress, requestedAt, expiresAt, nextAllowedAt } = last
  return {
    dataExport: {
      ...{ id, state, progress, requestedAt: requestedAt.toISOString() },
      expiresAt: expiresAt?.toISOString() ?? null,
    },
    nextAllowedAt: nextAllowedAt?.toISOString() ?? null,
  }
}

/** A service's contribution in one call. */
type BroughtPieces = Call<typeof authInternalRoutes.contributeToExport>['body']

/** Stores a service's contribution; after the last one of all services the link is mailed. @throws AppError not_found when none is expected */
export async function takeContribution(parts: AuthParts, exportId: string, brought: BroughtPieces): Promise<void> {
  const pieces = brought.pieces.map(({ data, ...piece }) => ({ ...piece, data: Buffer.from(data, 'base64') }))
  const ready = (userId: string) =>
    eventOf('auth.data-export-ready', userId, { userId, exportId }, { id: parts.newId(), at: parts.now() })
  const isWanted = await parts.stores.dataExports.contribute(exportId, { ...brought, pieces }, ready)
  if (!isWanted) throw notFound()
}

/** Creates the token of the mailed link; only its hash is stored. @throws AppError not_found when there is no export to download */
export async function issueExportLink(parts: AuthParts, exportId: string) {
  const token = randomToken()
  const issued = await parts.stores.dataExports.issueLink(exportId, hashToken(token))
  if (issued === undefined) throw notFound()
  return { token, ...recipientOf(issued.account), expiresAt: issued.expiresAt.toISOString() }
}

/** Asks services again for missing contributions, and ends exports whose time is over. */
export async function reconcileExports(parts: Pick<AuthParts, 'stores' | 'newId' | 'now'>): Promise<void> {
  const { dataExports } = parts.stores
  await dataExports.sweep()
  await dataExports.retry((userId, exportId) => requestedEvent(parts, userId, exportId))
}

const requestedEvent = ({ newId, now }: Pick<AuthParts, 'newId' | 'now'>, userId: string, exportId: string) =>
  eventOf('auth.data-export-requested', userId, { userId, exportId }, { id: newId(), at: now() })

const cooldownMinutes = async ({ stores }: AuthParts): Promise<number> =>
  (await stores.settings.read()).settings.dataExportCooldownMinutes
