/** What a provider charges, in micro-dollars per million tokens; null where it is not known. */
interface ProviderPrices {
  readonly inputPrice?: number | null
  readonly outputPrice?: number | null
}

/** Micro-dollars that a provider charges for so many tokens; null while one of its prices is not known. */
export function answerCost({ inputPrice, outputPrice }: ProviderPrices, input: number, output: number): number | null {
  if (inputPrice == null || outputPrice == null) return null
  return (inputPrice * input + outputPrice * output) / 1_000_000
}
