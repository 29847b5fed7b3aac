import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** An empty inbox beside a list of effects, created for each test. */
export interface InboxHarness {
  /** Notes the event and adds `effect` to the list in one step; then throws inside it when `fail` is set. */
  once(group: string, eventId: string, effect: string, fail?: boolean): Promise<boolean>
  effects(): Promise<readonly string[]>
  /** Makes every note look this many days older. */
  age(days: number): Promise<void>
  notes(): Promise<number>
  close(): Promise<void>
}

/** The contract of every inbox for consumers. */
export function inboxContract(engine: string, openHarness: () => Promise<InboxHarness>): void {
  describe(`Inbox on ${engine}`, () => {
    let harness: InboxHarness
    beforeEach(async () => {
      harness = await openHarness()
    })
    afterEach(() => harness.close())

    test('an event has its effect once per group', async () => {
      expect(await harness.once('billing', 'e1', 'a')).toBe(true)
      expect(await harness.once('billing', 'e1', 'b')).toBe(false)
      expect(await harness.once('notifier', 'e1', 'c')).toBe(true)
      expect(await harness.once('billing', 'e2', 'd')).toBe(true)
      expect(await harness.effects()).toEqual(['a', 'c', 'd'])
    })

    test('of many concurrent deliveries of an event one has its effect', async () => {
      const calls = Array.from({ length: 20 }, (_value, index) => harness.once('billing', 'e1', `${index}`))
      const ran = (await Promise.all(calls)).filter(Boolean)
      expect(ran).toHaveLength(1)
      expect(await harness.effects()).toHaveLength(1)
    })

    test('an effect that fails is undone and may come again', async () => {
      await expect(harness.once('billing', 'e1', 'lost', true)).rejects.toThrow()
      expect(await harness.effects()).toEqual([])
      expect(await harness.once('billing', 'e1', 'kept')).toBe(true)
      expect(await harness.effects()).toEqual(['kept'])
    })

    test('notes are dropped after 30 days, not before', async () => {
      for (const id of ['e1', 'e2', 'e3']) await harness.once('billing', id, id)
      await harness.age(29)
      await harness.once('billing', 'e4', 'e4')
      expect(await harness.notes()).toBe(4)
      await harness.age(2)
      await harness.once('billing', 'e5', 'e5')
      await harness.once('billing', 'e6', 'e6')
      expect(await harness.notes()).toBe(3)
    })
  })
}
