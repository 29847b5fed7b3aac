import { chatRoutes, financeRoutes } from '@parley/contracts'
import { mount } from '@parley/kit'
import type { IRouter } from 'express'
import { userOf } from '../callers.ts'
import { readTickers } from '../finance/ticker.ts'
import type { Parts } from '../parts.ts'

/** Symbols of one call, and of a watchlist. */
const maxTickers = 20
const mostFollowed = 50

/** Prices, the tickers that a user follows, and which tools there are. */
export function addToolRoutes(router: IRouter, { stores, quotes, availableTools, settings }: Parts): void {
  const { watchlists } = stores
  mount(router, chatRoutes.tools, async () => {
    const known = await settings.current().catch(() => settings.lastKnown())
    return { body: { ...availableTools, followUps: known?.followUps ?? false } }
  })
  mount(router, financeRoutes.quotes, async ({ query }) => {
    const asked = query.symbols.split(',').filter((symbol) => symbol.trim() !== '')
    const symbols = readTickers(asked, maxTickers)
    return { body: { quotes: [...(await quotes.of(symbols))] } }
  })
  mount(router, financeRoutes.watchlist, async ({ principal }) => {
    return { body: { symbols: [...(await watchlists.read(userOf(principal).ownerId))] } }
  })
  mount(router, financeRoutes.setWatchlist, async ({ principal, body }) => {
    const symbols = [...readTickers(body.symbols, mostFollowed)]
    await watchlists.replace(userOf(principal).ownerId, symbols)
    return { body: { symbols } }
  })
}
