import { authRoutes } from '@parley/contracts'
import { actingUser, eventStreamHeaders, mountStream, type StreamFrame, writeEventStream } from '@parley/kit'
import type { IRouter } from 'express'
import type { UserFeed } from '../user-feed.ts'

/** The event stream that tells a user about bans and rights. */
export function addUserEventRoutes(router: IRouter, feed: UserFeed): void {
  mountStream(router, authRoutes.events, async ({ principal }, response) => {
    const { userId, sessionId } = actingUser(principal)
    const left = new AbortController()
    response.once('close', () => left.abort())
    for (const [name, value] of Object.entries(eventStreamHeaders)) response.setHeader(name, value)
    await writeEventStream(response, frames(feed, userId, sessionId, left.signal))
  })
}

async function* frames(
  feed: UserFeed,
  userId: string,
  sessionId: string,
  left: AbortSignal,
): AsyncGenerator<StreamFrame> {
  for await (const update of feed.follow(userId, sessionId, left)) yield { data: JSON.stringify(update) }
}
