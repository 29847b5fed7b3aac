import { setTimeout } from 'node:timers/promises'
import {
  authInternalRoutes,
  type ConsumerGroup,
  consumerGroups,
  deadLetterRoutesOf,
  gatewayRoutes,
  type ServiceName,
} from '@parley/contracts'
import {
  type AdminAct,
  adminActOf,
  eventStreamHeaders,
  mount,
  mountStream,
  newId,
  notFound,
  type StreamFrame,
  writeEventStream,
} from '@parley/kit'
import type { IRouter } from 'express'
import type { GatewayServiceDeps } from '../deps.ts'
import { readHealth } from './health.ts'

type OperationsDeps = Pick<GatewayServiceDeps, 'locate' | 'client' | 'log' | 'now'>

/** Milliseconds; a replay runs the handlers of all dead letters, and Kafka is slow to count them, which a list and a drop do. */
const lettersMs = 120_000

/** Events of the streaming test. */
const testEvents = { count: 5, apartMs: 250 }

/** Health, and dead letters: the owning service acts once the act is in the audit log. */
export function addOperationsRoutes(router: IRouter, deps: OperationsDeps): void {
  const makers = { newId, now: deps.now }
  mount(router, gatewayRoutes.health, async () => ({ body: await readHealth(deps) }))
  mountStream(router, gatewayRoutes.streamTest, async (_call, response) => {
    response.writeHead(200, eventStreamHeaders)
    await writeEventStream(response, spacedEvents())
  })
  mount(router, gatewayRoutes.replayDeadLetters, async ({ params, ...call }) => {
    const { group, routes } = ownerOf(params.group)
    await record(deps, 'dead-letters.replayed', group, adminActOf(call, makers))
    return { body: await deps.client.call(routes.replay, { params: { group }, timeoutMs: lettersMs }) }
  })
  mount(router, gatewayRoutes.dropDeadLetters, async ({ params, ...call }) => {
    const { group, routes } = ownerOf(params.group)
    await record(deps, 'dead-letters.dropped', group, adminActOf(call, makers))
    return { body: await deps.client.call(routes.drop, { params: { group }, timeoutMs: lettersMs }) }
  })
}

/** Lets the browser detect a buffering proxy: its events would arrive together. */
async function* spacedEvents(): AsyncGenerator<StreamFrame> {
  const startedAt = performance.now()
  for (let id = 1; id <= testEvents.count; id += 1) {
    if (id > 1) await setTimeout(testEvents.apartMs)
    yield { id, data: String(Math.round(performance.now() - startedAt)) }
  }
}

/** The group and the routes of its service. @throws AppError not_found */
function ownerOf(name: string): { group: ConsumerGroup; routes: ReturnType<typeof deadLetterRoutesOf> } {
  const group = consumerGroups.find((known) => known === name)
  if (group === undefined) throw notFound('Consumer group not found')
  return { group, routes: deadLetterRoutesOf(group.split('.', 1)[0] as ServiceName) }
}

/** Records the act with the number of dead letters in the audit log first, so that every removal can be traced. */
async function record({ client }: OperationsDeps, action: string, group: ConsumerGroup, act: AdminAct): Promise<void> {
  const { deadLetters } = await client.call(ownerOf(group).routes.list, { timeoutMs: lettersMs })
  const { count, oldestAt } = deadLetters.find((one) => one.group === group) ?? { count: 0, oldestAt: null }
  const { eventId: id, at, actorId, requestId } = act
  const body = {
    id,
    at: at.toISOString(),
    actorId,
    requestId,
    action,
    target: group,
    before: { count, oldestAt },
    after: null,
  }
  await client.call(authInternalRoutes.recordAct, { body, repeat: true })
}
