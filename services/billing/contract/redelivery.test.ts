import { type EventBus, eventOf, type Subscription } from '@parley/bus'
import { openKafkaBus } from '@parley/bus/kafka'
import type { Event, EventOf } from '@parley/contracts'
import { createLogger } from '@parley/kit'
import { adminAct, type FaultProxy, startFaultProxy, waitUntil } from '@parley/testing'
import { engineUrl, onEngine, testTopicPrefix } from '@parley/testing/test-engines'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { billingSubscription } from '../src/consumers.ts'
import type { BillingStores } from '../src/store/index.ts'
import { type BillingEngine, openBillingEngine } from './engine.ts'

type Finished = EventOf<'chat.generation-finished'>

const count = 10_000
const users = 40
const grant = 5_000
const held = 5
const log = createLogger('redelivery', 'silent')

const userOf = (index: number): string => `user-${index % users}`
const generationOf = (index: number): string => `generation-${index}`
const chargeOf = (index: number): number => index % (held + 1)
/** 2 in 100. */
const isRepeated = (index: number): boolean => index % 50 === 7

const finished = (index: number): Finished =>
  eventOf(
    'chat.generation-finished',
    generationOf(index),
    {
      generationId: generationOf(index),
      chatId: null,
      userId: userOf(index),
      model: 'v3',
      outcome: 'complete',
      charge: chargeOf(index),
      usage: { inputTokens: 1, outputTokens: 1, estimated: false },
    },
    { id: `event-${index}`, at: new Date() },
  )

/** Runs `act` for every index, eight at a time. */
async function each(act: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await act(index)
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

onEngine('kafka', () => {
  let engine: BillingEngine
  let proxy: FaultProxy
  let buses: EventBus[]
  /** Number of deliveries of each event to billing. */
  const deliveries = new Map<string, number>()
  beforeEach(async () => {
    deliveries.clear()
    engine = await openBillingEngine()
    const brokers = (engineUrl('kafka') ?? '').split(',')
    const [host = '', port] = brokers[0]?.split(':') ?? []
    proxy = await startFaultProxy({ host, port: Number(port) })
    // Each user holds for hundreds of generations at once.
    await engine.stores.plans.update('free', { requestsPerWindow: 1_000_000 }, adminAct())
    const topicPrefix = testTopicPrefix()
    const open = (through?: number) =>
      openKafkaBus({
        brokers,
        clientId: 'billing',
        log,
        topicPrefix,
        // The first retry follows the planted crash; the others allow for a PostgreSQL that is slow on a busy machine.
        retryDelaysMs: [1, 100, 1_000, 5_000],
        ...(through === undefined ? {} : { reach: () => ({ host: '127.0.0.1', port: through }) }),
      })
    buses = await Promise.all([open(), open(proxy.port), open(proxy.port)])
  })
  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.close()))
    await proxy.close()
    await engine.close()
  })

  /** Billing's own consumer, which crashes once after applying each repeated event and before acknowledging it. */
  const dying = (stores: BillingStores): Subscription => {
    const { group, handlers } = billingSubscription(stores)
    return {
      group,
      handlers: {
        ...handlers,
        'chat.generation-finished': async (event) => {
          const times = (deliveries.get(event.id) ?? 0) + 1
          deliveries.set(event.id, times)
          await handlers['chat.generation-finished']?.(event)
          if (times === 1 && isRepeated(Number(event.id.slice('event-'.length)))) throw new Error('killed')
        },
      },
    }
  }

  /** Holds credits for generations from `start` on, concurrently, and a second time for the repeated ones. */
  const holdAll = async (start: number, many: number): Promise<void> => {
    const generations = Array.from({ length: many }, (_none, nth) => start + nth)
    const asked = [...generations, ...generations.filter(isRepeated)]
    const results = await Promise.all(
      asked.map((index) =>
        engine.stores.credits.hold({
          generationId: generationOf(index),
          userId: userOf(index),
          amount: held,
          unlimited: false,
        }),
      ),
    )
    expect(results.filter(({ outcome }) => outcome === 'held')).toHaveLength(asked.length)
  }

  it('captures each of 10,000 generations once, although 2 % of events and settlements are repeated', async () => {
    const [publisher, first, second] = buses as [EventBus, EventBus, EventBus]
    for (let user = 0; user < users; user += 1) {
      await engine.stores.accounts.ensure(userOf(user))
      await engine.stores.accounts.grant(userOf(user), grant, adminAct())
    }
    const before = (await engine.stores.accounts.read(userOf(0))).remaining
    for (let start = 0; start < count; start += 500) await holdAll(start, 500)
    const published: Event[] = []
    for (let index = 0; index < count; index += 1) {
      published.push(finished(index))
      // A relay that crashes between publishing and deleting publishes twice.
      if (isRepeated(index + 25)) published.push(finished(index))
    }
    const { group } = billingSubscription(engine.stores)
    await first.subscribe(dying(engine.stores))
    await second.subscribe(dying(engine.replica))
    for (let start = 0; start < published.length; start += 100) {
      await publisher.publish(published.slice(start, start + 100))
    }
    // Chat also settles directly, as early as it can.
    const settling = each(async (index) => {
      if (index % 3 !== 0) return
      await engine.stores.credits.settle(generationOf(index), chargeOf(index))
      if (isRepeated(index)) await engine.replica.credits.settle(generationOf(index), chargeOf(index))
    })
    for (const share of [0.25, 0.5, 0.75]) {
      await waitUntil(() => deliveries.size >= count * share, 'events to be handled', 500_000)
      // Events handled but not committed are redelivered.
      proxy.cutNow()
    }
    await settling
    const caughtUp = async () => (await publisher.lag([group]))[group] === 0 && deliveries.size === count
    await waitUntil(caughtUp, 'all events to be handled', 500_000, 100)

    const times = [...deliveries.values()]
    expect(times.filter((often) => often > 1).length).toBeGreaterThanOrEqual(0.04 * count)
    expect(proxy.observed).toBeGreaterThanOrEqual(3)
    expect(await publisher.deadLetters(group)).toEqual([])
    expect(await engine.faults()).toEqual([])
    for (let user = 0; user < users; user += 1) {
      const mine = Array.from({ length: count }, (_value, index) => index).filter((index) => index % users === user)
      const rows = await engine.ledger(userOf(user))
      const captured = rows.filter(({ kind }) => kind === 'capture').map(({ generationId }) => generationId)
      expect(captured.toSorted()).toEqual(mine.filter(chargeOf).map(generationOf).toSorted())
      const { remaining, held: left } = await engine.stores.accounts.read(userOf(user))
      const spent = mine.reduce((sum, index) => sum + chargeOf(index), 0)
      expect({ remaining, left }).toEqual({ remaining: before - spent, left: 0 })
    }
  }, 1_200_000)
})
