import { deadLetterRoutesOf, type ServiceName } from '@parley/contracts'
import type { IRouter } from 'express'
import { notFound } from '../errors/app-error.ts'
import { mount } from '../http/mount.ts'
import type { DeadLetterStore } from './engine.ts'
import type { Subscription } from './subscription.ts'

/**
 * The service's routes for its dead letters.
 * @param subscriptions whose groups' letters are shown; a replay calls their handlers
 */
export function addDeadLetterRoutes(
  router: IRouter,
  service: ServiceName,
  bus: DeadLetterStore,
  subscriptions: readonly Subscription[],
): void {
  const routes = deadLetterRoutesOf(service)
  /** @throws AppError not_found */
  const subscriptionOf = (group: string): Subscription => {
    const found = subscriptions.find((subscription) => subscription.group === group)
    if (found === undefined) throw notFound('Consumer group not found')
    return found
  }
  mount(router, routes.list, async () => {
    const counts = await bus.countDeadLetters(subscriptions.map(({ group }) => group))
    return {
      body: { deadLetters: counts.map(({ oldestAt, ...count }) => ({ ...count, oldestAt: oldestAt.toISOString() })) },
    }
  })
  mount(router, routes.replay, async ({ params }) => ({
    body: { replayed: await bus.replayDeadLetters(subscriptionOf(params.group)) },
  }))
  mount(router, routes.drop, async ({ params }) => ({
    body: { dropped: await bus.dropDeadLetters(subscriptionOf(params.group).group) },
  }))
}
