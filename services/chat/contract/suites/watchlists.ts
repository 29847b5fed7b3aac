import { describe, expect, it } from 'vitest'
import type { ChatEngine } from './samples.ts'

/** Every sentence of the watchlist store's guarantees, on one engine. */
export function watchlistStoreContract(name: string, engine: ChatEngine): void {
  describe(`watchlist store on ${name}`, () => {
    const watchlists = () => engine.stores.watchlists

    it('is empty until it is set, and then the same for every replica', async () => {
      expect(await watchlists().read('ada')).toEqual([])
      await watchlists().replace('ada', ['MSFT', 'AAPL'])
      expect(await engine.replica.watchlists.read('ada')).toEqual(['MSFT', 'AAPL'])
      await watchlists().replace('ada', [])
      expect(await watchlists().read('ada')).toEqual([])
    })

    it('keeps one watchlist per user', async () => {
      await watchlists().replace('ada', ['AAPL'])
      await watchlists().replace('bob', ['BRK.B'])
      expect([await watchlists().read('ada'), await watchlists().read('bob')]).toEqual([['AAPL'], ['BRK.B']])
    })

    it('keeps one of several set concurrently, never a mixture', async () => {
      const lists = [
        ['A', 'B'],
        ['C', 'D'],
        ['E', 'F'],
      ]
      const each = [engine.stores, engine.replica, engine.stores]
      await Promise.all(lists.map((symbols, nth) => each[nth]?.watchlists.replace('ada', symbols)))
      expect(lists).toContainEqual(await watchlists().read('ada'))
    })
  })
}
