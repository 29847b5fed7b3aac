import type { RequestListener } from 'node:http'
import { deadLetterRoutesOf, type ServiceName } from '@parley/contracts'
import { notFound } from '../errors/app-error.ts'
import { createInternalApp, type InternalAppDeps } from '../http/http-app.ts'
import { mount } from '../http/mount.ts'
import type { DeadLetterStore } from './engine.ts'
import type { Subscription } from './subscription.ts'

export interface DeadLetterDeps extends InternalAppDeps {
  readonly service: ServiceName
  readonly bus: DeadLetterStore
  /** The groups whose letters are shown; a replay calls their handlers. */
  readonly subscriptions: readonly Subscription[]
}

/** Serves `/internal/dead-letters` in front of a service, whose own handler gets all else. */
export function withDeadLetters(
  { service, bus, subscriptions, ...deps }: DeadLetterDeps,
  own: RequestListener,
): RequestListener {
  const routes = deadLetterRoutesOf(service)
  /** @throws AppError not_found */
  const subscriptionOf = (group: string): Subscription => {
    const found = subscriptions.find((subscription) => subscription.group === group)
    if (found === undefined) throw notFound('Consumer group not found')
    return found
  }
  const app = createInternalApp(deps, (router) => {
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
  })
  return (request, response) => (request.url?.startsWith(routes.list.path) ? app : own)(request, response)
}
