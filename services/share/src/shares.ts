import { type ChatSnapshot, chatShareRoutes, type ShareBody } from '@parley/contracts'
import {
  type AppError,
  type Clock,
  createFresh,
  type NewId,
  notFound,
  type ServiceClient,
  validationFailed,
} from '@parley/kit'
import { type FirstScreen, writeFirstScreen } from './first-screen/first-screen.ts'
import type { LinkState } from './link-state.ts'
import type { PasswordGuard } from './password-guard.ts'
import { describe, paginate, selectShown } from './snapshot.ts'
import type { SharedImage, ShareLink, SnapshotMessage } from './store/documents.ts'
import type { Shared, ShareStore } from './store/share-store.ts'

export interface SharesDeps {
  readonly shares: ShareStore
  readonly client: Pick<ServiceClient, 'call'>
  readonly state: LinkState
  readonly guard: PasswordGuard
  readonly now: Clock
  readonly newId: NewId
}

/** A visitor of a link. */
export interface Visitor {
  readonly network: string
  /** The raw header. */
  readonly password: unknown
}

/** Creates and opens links. */
export type Shares = ReturnType<typeof createShares>

/** A link and its messages. */
export interface Shown {
  readonly link: ShareLink
  readonly messages: readonly SnapshotMessage[]
}

/** Retries when a link is renewed while it is being read. */
const mostRenewals = 2
/** Time-out for reading a large chat. */
const snapshotMs = 15_000
/** First screens that are cached, and milliseconds for which; the link itself is read each time. */
const mostScreens = 200
const screenMs = 60_000

/** Shares over a store. */
export function createShares({ shares, client, state, guard, now, newId }: SharesDeps) {
  const firstScreens = createFresh<FirstScreen | null>({ maxAgeMs: screenMs, max: mostScreens })
  const find = async (shareId: string): Promise<ShareLink> => {
    const link = await shares.find(shareId)
    if (link === undefined || !(await state.isLive(link))) throw invalidLink()
    return link
  }
  const snapshot = async (
    userId: string,
    { chatId, messageIds, expiresAt, ...selection }: ShareBody,
  ): Promise<ChatSnapshot> => {
    // A preview is refused for what the link would be refused for.
    readExpiry(expiresAt, now())
    const body = { userId, ...(messageIds && { messageIds }) }
    const params = { id: chatId }
    const chat = await client.call(chatShareRoutes.snapshot, { params, body, timeoutMs: snapshotMs, repeat: true })
    return selectShown(chat, selection)
  }
  const pagesOf = async ({ snapshotId }: ShareLink, pages: readonly number[]) => {
    const messages: SnapshotMessage[] = []
    for (const nth of pages) {
      const page = await shares.page(snapshotId, nth)
      if (page === undefined) return undefined
      messages.push(...page.messages)
    }
    return messages
  }
  const open = async (shareId: string, { network, password }: Visitor): Promise<ShareLink> => {
    const link = await find(shareId)
    await guard.check(link, password, network)
    return link
  }
  return {
    /**
     * The chat as visitors would see it.
     * @throws AppError of chat: not_found, validation_failed, payload_too_large; validation_failed if empty, or for an expiry in the past
     */
    snapshot,
    /** Creates or renews a link. @throws AppError as `snapshot` */
    async share(ownerId: string, body: ShareBody): Promise<Exclude<Shared, 'erased'>> {
      const expiresAt = readExpiry(body.expiresAt, now())
      const chat = await snapshot(ownerId, body)
      const passwordHash = body.password == null ? null : await guard.hash(body.password)
      const pages = paginate(chat, newId)
      const [shareId, snapshotId] = [newId(), newId()]
      const { title, model, modelName } = chat
      const shown = { title, description: describe(chat), model, modelName, pages: pages.length }
      const options = { sharedAt: now(), expiresAt, passwordHash }
      const shared = await shares.share({ id: body.chatId, shareId, snapshotId, ownerId, ...shown, ...options }, pages)
      if (shared === 'erased') throw notFound()
      return shared
    },
    /** A live link. @throws AppError not_found for any other, unavailable */
    find,
    /** One page or all of a link, after its password was checked. @throws AppError as `find` and `PasswordGuard.check` */
    async view(shareId: string, visitor: Visitor, page?: number): Promise<Shown> {
      for (let renewed = 0; renewed <= mostRenewals; renewed += 1) {
        const link = await open(shareId, visitor)
        const messages = await pagesOf(link, page === undefined ? [...Array(link.pages).keys()] : [page])
        if (messages !== undefined) return { link, messages }
        if (page !== undefined && page >= link.pages) break
      }
      throw invalidLink()
    },
    /** The first screen of a link as HTML, cached by snapshot; null if the link is being renewed. */
    firstScreen: (link: ShareLink): Promise<FirstScreen | null> =>
      firstScreens.get(link.snapshotId, async () => {
        const page = await shares.page(link.snapshotId, 0)
        return page === undefined ? null : writeFirstScreen(link, page.messages)
      }),
    /** An image of a page. @throws AppError not_found */
    async image(shareId: string, imageId: string): Promise<{ readonly link: ShareLink; readonly image: SharedImage }> {
      const link = await find(shareId)
      const page = /^(\d{1,5})_/.exec(imageId)?.[1]
      const messages = page === undefined ? undefined : await pagesOf(link, [Number(page)])
      const image = messages?.flatMap(({ images }) => images).find(({ id }) => id === imageId)
      if (image === undefined) throw notFound()
      return { link, image }
    },
  }
}

/** The same error for unknown, revoked and expired links, so that it reveals nothing. */
const invalidLink = (): AppError => notFound('Invalid share link')

/** @throws AppError validation_failed */
function readExpiry(expiresAt: ShareBody['expiresAt'], now: Date): Date | null {
  if (expiresAt == null) return null
  const at = new Date(expiresAt)
  if (at <= now) throw validationFailed([{ path: 'expiresAt', message: 'Must be in the future' }])
  return at
}
