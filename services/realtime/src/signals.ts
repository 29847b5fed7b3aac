import type { Signal } from '@parley/cache'
import type { SignalPayload } from '@parley/contracts'
import type { Clock, Logger } from '@parley/kit'
import type { Principals } from '@parley/kit/access-token'
import type { Credits } from './people/credits.ts'
import type { People } from './people/people.ts'
import type { Rooms } from './rooms/rooms.ts'

/** What hearing signals uses. */
export interface HearingDeps {
  readonly signal: Signal
  readonly principals: Principals
  readonly people: People
  readonly credits: Pick<Credits, 'renew'>
  readonly rooms: Rooms
  readonly log: Logger
  readonly now: Clock
}

/** Chats that are told as deleted one by one: a connection is dropped when 1,000 packets wait for it. */
const deletedOneByOne = 500

/** Tells sockets what other services signal. Returns how to end it. */
export function hearSignals({ signal, principals, people, credits, rooms, log, now }: HearingDeps): () => void {
  const reviewed = (review: Promise<void>): void => {
    review.catch((error: unknown) => log.error({ err: error }, 'connections were not reviewed'))
  }
  const changed = (change: SignalPayload<'chat-changed'>): void => {
    const { userId, chatId, kind, title, messageId, clientMessageId } = change
    if (kind === 'deleted') people.tell(userId, 'chat:delete', { chatId })
    if (kind === 'updated') {
      const updatedAt = change.updatedAt ?? now().toISOString()
      people.tell(userId, 'chat:update', {
        chatId,
        ...(title !== undefined && { title }),
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
      reviewed(people.review(userId))
    }),
    signal.subscribe('caches-cleared', () => principals.clear()),
    signal.subscribe('models-changed', () => people.tellAll('models:update', {})),
    signal.subscribe('settings-changed', () => people.tellAll('models:update', {})),
    signal.subscribe('chat-changed', changed),
    signal.subscribe('chats-changed', ({ userId, kind, chats }) => {
      if (kind === 'updated' || chats.length <= deletedOneByOne) {
        for (const chat of chats) changed({ userId, kind, ...chat })
        return
      }
      const chatIds = chats.map(({ chatId }) => chatId)
      people.tell(userId, 'chats:delete', { chatIds })
      for (const chatId of chatIds) rooms.changed({ userId, kind, chatId })
    }),
    signal.onMissed(() => {
      principals.clear()
      reviewed(people.reviewAll())
      people.tellAll('models:update', {})
      credits.renew(people.all().map(({ userId }) => userId))
    }),
    signal.onHintsMissed(() => rooms.renewAll()),
  ]
  return () => {
    for (const end of ends.splice(0)) end()
  }
}
