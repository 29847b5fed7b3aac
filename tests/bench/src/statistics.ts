/** The middle value, or the mean of the middle two. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Linear interpolation; `share` is from 0 to 1. NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}

/** Median of the rounds with minimum and maximum in brackets. */
export function withSpread(values: readonly number[], digits: number, unit = ''): string {
  const show = (value: number): string => value.toFixed(digits)
  return `${show(median(values))}${unit} (${show(Math.min(...values))}–${show(Math.max(...values))})`
}
