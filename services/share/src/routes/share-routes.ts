import { pipeline } from 'node:stream/promises'
import {
  chatShareRoutes,
  type SharedChat,
  shareInternalRoutes,
  sharePasswordHeader,
  shareRoutes,
} from '@parley/contracts'
import {
  actingUser,
  type Logger,
  mount,
  mountStream,
  notFound,
  type ServiceClient,
  validationFailed,
} from '@parley/kit'
import type { IRouter } from 'express'
import type { LinkState } from '../link-state.ts'
import { presentLink, presentListed, presentMessage, presentPreview } from '../present.ts'
import type { Shares, Visitor } from '../shares.ts'
import { findInSnapshot } from '../snapshot.ts'
import type { ShareLink } from '../store/documents.ts'
import type { ShareStore } from '../store/share-store.ts'

export interface ShareRoutesDeps {
  readonly shares: Shares
  readonly store: ShareStore
  readonly state: LinkState
  readonly client: Pick<ServiceClient, 'call' | 'open'>
  readonly log: Logger
}

/** Time-out for copying a large chat. */
const copyMs = 15_000

/** The public routes of share. */
export function addShareRoutes(router: IRouter, deps: ShareRoutesDeps): void {
  addOwnerRoutes(router, deps)
  addVisitorRoutes(router, deps)
}

/** Routes of a chat's owner. */
function addOwnerRoutes(router: IRouter, { shares, store, state }: ShareRoutesDeps): void {
  mount(router, shareRoutes.create, async ({ principal, body }) => {
    const { link, isNew } = await shares.share(actingUser(principal).userId, body)
    return { body: presentLink(link), status: isNew ? 201 : 200 }
  })
  mount(router, shareRoutes.preview, async ({ principal, body }) => {
    const shown = await shares.snapshot(actingUser(principal).userId, body)
    const { title, model, messages } = shown
    return { body: { title, model, messages: presentPreview(messages), found: [...(await findInSnapshot(shown))] } }
  })
  mount(router, shareRoutes.list, async ({ principal, query: { limit, cursor, chatId } }) => {
    const { userId } = actingUser(principal)
    const after = cursor === undefined ? undefined : readCursor(cursor)
    const page = chatId === undefined ? await store.list(userId, limit, after) : await store.listOfChat(userId, chatId)
    const last = chatId === undefined && page.length === limit ? page.at(-1) : undefined
    const known = await state.knownChats(
      userId,
      page.map(({ id }) => id),
    )
    const items = page.filter(({ id }) => known.has(id)).map(presentListed)
    return { body: { items, nextCursor: last === undefined ? null : writeCursor(last) } }
  })
  mount(router, shareRoutes.revokeAll, async ({ principal }) => ({
    body: { revoked: await store.revokeAll(actingUser(principal).userId) },
  }))
  mount(router, shareRoutes.revoke, async ({ principal, params }) => {
    const link = await store.find(params.id)
    if (link === undefined || link.ownerId !== actingUser(principal).userId) throw notFound()
    if (!(await store.revoke(link))) throw notFound()
    return {}
  })
}

/** Routes of a link's visitors. */
function addVisitorRoutes(router: IRouter, { shares, store, client, log }: ShareRoutesDeps): void {
  mountStream(router, shareRoutes.view, async ({ params: { id }, query: { page }, ...call }, response, { method }) => {
    const { link, messages } = await shares.view(id, visitorOf(call.principal, call.headers), page)
    const { title, sharedAt, model, modelName, pages } = link
    // Later pages belong to a view already counted, and HEAD shows nothing.
    if ((page ?? 0) === 0 && method !== 'HEAD') {
      await store.countView(link).catch((error: unknown) => log.warn({ err: error }, 'a view could not be counted'))
    }
    const shown: SharedChat = {
      ...{ id, title, sharedAt: sharedAt.toISOString(), model, modelName },
      messages: messages.map((message) => presentMessage(id, message)),
      ...(page !== undefined && { pages }),
    }
    response.json(shown)
  })
  mountStream(router, shareRoutes.image, async ({ params: { id, imageId } }, response) => {
    const { link, image } = await shares.image(id, imageId)
    const params = { id: link.id, fileId: image.fileId }
    const bytes = await client.open(chatShareRoutes.image, { params, query: { userId: link.ownerId } })
    response.set({
      'content-type': image.mimeType,
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    await pipeline(bytes, response)
  })
  mount(router, shareRoutes.continueChat, async ({ principal, params: { id }, headers }) => {
    const { userId } = actingUser(principal)
    const { link, messages } = await shares.view(id, visitorOf(principal, headers))
    const texts = messages.filter(({ content }) => content.trim() !== '')
    const copied = texts.map(({ role, content, createdAt }) => ({ role, content, createdAt }))
    const body = { userId, title: link.title, model: link.model, messages: copied }
    return { body: await client.call(chatShareRoutes.copy, { body, timeoutMs: copyMs }) }
  })
  mount(router, shareInternalRoutes.card, async ({ params: { id } }) => {
    const link = await shares.find(id)
    if (link.passwordHash !== null)
      return { body: { title: null, description: null, firstScreen: null, hasFormulas: false } }
    const { title, description } = link
    const firstScreen = await shares.firstScreen(link).catch((error: unknown) => {
      log.warn({ err: error }, 'the first screen of a link could not be written')
      return null
    })
    return {
      body: {
        title,
        description,
        firstScreen: firstScreen?.html ?? null,
        hasFormulas: firstScreen?.hasFormulas ?? false,
      },
    }
  })
}

const visitorOf = ({ network }: { readonly network: string }, headers: Readonly<Record<string, unknown>>): Visitor => ({
  network,
  password: headers[sharePasswordHeader],
})

const writeCursor = ({ id, sharedAt }: Pick<ShareLink, 'id' | 'sharedAt'>): string => `${sharedAt.getTime()}_${id}`

/** @throws AppError validation_failed */
function readCursor(cursor: string): Pick<ShareLink, 'id' | 'sharedAt'> {
  const [, ms, id] = /^(\d{1,15})_([\w-]{1,64})$/.exec(cursor) ?? []
  if (ms === undefined || id === undefined) throw validationFailed([{ path: 'cursor', message: 'Malformed cursor' }])
  return { id, sharedAt: new Date(Number(ms)) }
}
