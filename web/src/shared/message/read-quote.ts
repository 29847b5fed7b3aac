import type { Quote } from '@parley/contracts'

const isText = (value: unknown): value is string => typeof value === 'string'
const isFigure = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** What a tool gave as a price; null when it is none. A stored result is as old as its chat, so that it is looked at rather than believed. */
export function readQuote(result: unknown): Quote | null {
  if (typeof result !== 'object' || result === null) return null
  const { symbol, name, price, change, changePercent, currency, time, delayed } = result as Partial<Quote>
  if (!isText(symbol) || !isText(name) || !isText(currency) || !isText(time)) return null
  if (!isFigure(price) || !isFigure(change) || !isFigure(changePercent)) return null
  return { symbol, name, price, change, changePercent, currency, time, delayed: delayed === true }
}
