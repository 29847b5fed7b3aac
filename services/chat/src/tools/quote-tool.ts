import { isAppError } from '@parley/kit'
import type { Quotes } from '../finance/quotes.ts'
import { readTicker } from '../finance/ticker.ts'
import { type Tool, ToolFailure } from './tool.ts'

/** The tool that looks up the price of a ticker. */
export const createQuoteTool = (quotes: Quotes): Tool => ({
  spec: {
    name: 'get_quote',
    description: 'Looks up the current price of a stock, fund, currency pair or index by its ticker.',
    parameters: {
      type: 'object',
      properties: { symbol: { type: 'string', description: 'The ticker, as AAPL or BRK.B' } },
      required: ['symbol'],
      additionalProperties: false,
    },
  },
  parse(given) {
    const symbol = (given as { symbol?: unknown } | null)?.symbol
    const ticker = typeof symbol === 'string' ? readTicker(symbol.trim()) : undefined
    if (ticker === undefined) throw new ToolFailure('Invalid ticker')
    return { symbol: ticker }
  },
  async run({ symbol }) {
    const [quote] = await quotes.of([String(symbol)]).catch((error: unknown) => {
      throw isAppError(error) ? new ToolFailure(error.message) : error
    })
    if (quote === undefined) throw new ToolFailure(`No price is known of ${symbol}.`)
    const { name, price, currency, change, changePercent, time, delayed } = quote
    const sign = change < 0 ? '' : '+'
    const moved = `${sign}${change.toFixed(2)}, ${sign}${changePercent.toFixed(2)} %`
    const text = `${symbol}: ${price} ${currency} (${moved})`
    const material = `${text}. ${name}, price of ${time}${delayed ? ', not the price of this moment' : ''}.`
    return { result: quote, resultNormalized: text, material }
  },
})
