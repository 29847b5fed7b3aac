import type { Signal } from '@parley/cache'
import type { SignalPayload } from '@parley/contracts'
import type { Clock, Logger } from '@parley/kit'
import type { Principals } from '@parley/kit/access-token'
import { coalesced } from './connections/coalesced.ts'
import type { Connections } from './connections/connections.ts'
import type { Credits } from './connections/credits.ts'
import type { Rooms } from './rooms/rooms.ts'

export interface SignalsDeps {
  readonly signal: Signal
  readonly principals: Principals
  readonly connections: Connections
  readonly credits: Pick<Credits, 'renew'>
  readonly rooms: Rooms
  readonly log: Logger
  readonly now: Clock
}

/** Up to this many deleted chats are sent one by one: a connection is dropped beyond 1,000 packets in flight. */
const deletedOneByOne = 500
/** Milliseconds in which admins are told of changes once. */
const adminsPauseMs = 1_000

/** Forwards signals of other services to sockets. Returns a function that unsubscribes. */
export function subscribeSignals({
  signal,
  principals,
  connections,
  credits,
  rooms,
  log,
  now,
}: SignalsDeps): () => void {
  const reviewed = (review: Promise<void>): void => {
    review.catch((error: unknown) => log.error({ err: error }, 'the rights of connections could not be read'))
  }
  const renewCredits = (): void => credits.renew(connections.all().map(({ userId }) => userId))
  const adminsTold = coalesced(() => connections.emitToAdmins('users:update', {}), adminsPauseMs)
  const changed = (change: SignalPayload<'chat-changed'>): void => {
    const { userId, chatId, kind, title, archived, messageId, clientMessageId } = change
    if (kind === 'deleted') connections.emit(userId, 'chat:delete', { chatId })
    if (kind === 'updated') {
      const updatedAt = change.updatedAt ?? now().toISOString()
      connections.emit(userId, 'chat:update', {
        chatId,
        ...(title !== undefined && { title }),
        ...(archived && { archived }),
        updatedAt,
        ...(messageId !== undefined && { lastMessageId: messageId }),
        ...(clientMessageId !== undefined && { clientMessageId }),
      })
    }
    rooms.changed(change)
  }
  const ends = [
    signal.subscribe('principal-changed', ({ userId }) => {
      principals.drop(userId)
      reviewed(connections.review(userId).finally(adminsTold.request))
    }),
    signal.subscribe('caches-cleared', () => principals.clear()),
    signal.subscribe('models-changed', () => connections.emitAll('models:update', {})),
    signal.subscribe('settings-changed', () => connections.emitAll('models:update', {})),
    signal.subscribe('chat-changed', changed),
    signal.subscribe('chats-changed', ({ userId, kind, chats }) => {
      if (kind === 'updated' || chats.length <= deletedOneByOne) {
        for (const chat of chats) changed({ userId, kind, ...chat })
        return
      }
      const chatIds = chats.map(({ chatId }) => chatId)
      connections.emit(userId, 'chats:delete', { chatIds })
      for (const chatId of chatIds) rooms.changed({ userId, kind, chatId })
    }),
    signal.subscribe('answer-delayed', ({ userId, ...delayed }) => connections.emit(userId, 'stream:delayed', delayed)),
    signal.subscribe('credits-changed', ({ userIds }) => credits.renew(connections.connected(userIds))),
    signal.subscribe('admin-acted', adminsTold.request),
    signal.subscribe('memory-changed', ({ userId, pending }) => connections.emit(userId, 'memory:update', { pending })),
    signal.onMissed(() => {
      principals.clear()
      reviewed(connections.reviewAll())
      connections.emitAll('models:update', {})
      adminsTold.request()
      renewCredits()
    }),
    signal.onHintsMissed(() => {
      rooms.renewAll()
      adminsTold.request()
      renewCredits()
    }),
  ]
  return () => {
    for (const end of ends.splice(0)) end()
    adminsTold.stop()
  }
}
