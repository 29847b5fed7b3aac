const maxTickers = 12

/** `$AAPL` anywhere, and followed tickers in capitals; each once, in the order of the text. */
export function tickersIn(text: string, followed: readonly string[]): string[] {
  const known = new Set(followed)
  const found = new Set<string>()
  for (const [, dollar, word] of text.matchAll(/(\$?)\b([A-Za-z][A-Za-z0-9]{0,9}(?:[.-][A-Za-z0-9]{1,4})?)\b/g)) {
    if (word === undefined) continue
    if (dollar === '$') found.add(word.toUpperCase())
    else if (known.has(word)) found.add(word)
  }
  return [...found]
}

/** The tickers to show prices of: those in the text, then the followed ones. */
export const tickersFor = (text: string, followed: readonly string[]): string[] =>
  [...new Set([...tickersIn(text, followed), ...followed])].slice(0, maxTickers)
