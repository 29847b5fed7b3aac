/** Provider prices in micro-dollars per million tokens; null if unknown. */
interface ProviderPrices {
  readonly inputPrice?: number | null
  readonly outputPrice?: number | null
}

/** The provider's price for a number of tokens, in micro-dollars; null if one of its prices is unknown. */
export function answerCost({ inputPrice, outputPrice }: ProviderPrices, input: number, output: number): number | null {
  if (inputPrice == null || outputPrice == null) return null
  return (inputPrice * input + outputPrice * output) / 1_000_000
}
