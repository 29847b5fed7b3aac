/** Margin at the edges, so that the stroke is not clipped. */
const margin = 1.5

/** The SVG path of a line through the values from left to right, with 0 at the bottom and the maximum at the top. */
export function linePath(values: readonly number[], width: number, height: number): string {
  const highest = Math.max(1, ...values)
  const step = (width - 2 * margin) / Math.max(1, values.length - 1)
  const point = (value: number, index: number) => {
    const x = margin + index * step
    const y = height - margin - (value / highest) * (height - 2 * margin)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  }
  return values.length === 0 ? '' : `M${values.map(point).join('L')}`
}
