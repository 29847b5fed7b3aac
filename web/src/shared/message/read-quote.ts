import type { Quote } from '@parley/contracts'

const isText = (value: unknown): value is string => typeof value === 'string'
const isFigure = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** Parses a tool's price result; null if it is invalid. Stored results may be as old as the chat, so they are validated. */
export function readQuote(result: unknown): Quote | null {
  if (typeof result !== 'object' || result === null) return null
  const { symbol, name, price, change, changePercent, currency, time, delayed } = result as Partial<Quote>
  if (!isText(symbol) || !isText(name) || !isText(currency) || !isText(time)) return null
  if (!isFigure(price) || !isFigure(change) || !isFigure(changePercent)) return null
  return { symbol, name, price, change, changePercent, currency, time, delayed: delayed === true }
}
