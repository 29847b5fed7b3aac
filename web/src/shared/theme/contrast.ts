/** A colour as red, green and blue from 0 to 1. */
export type Rgb = readonly [number, number, number]

const byte = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255

/** The channels of `#rrggbb`; ignores trailing opacity digits. */
export const rgbOf = (hex: string): Rgb => [byte(hex, 1), byte(hex, 3), byte(hex, 5)]

/** `#rrggbb` from channels. */
export const hexOf = (rgb: Rgb): string =>
  `#${rgb
    .map((value) =>
      Math.round(Math.min(1, Math.max(0, value)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** Blends `share` of `front` over `ground`. */
export const mix = (front: Rgb, ground: Rgb, share: number): Rgb => [
  front[0] * share + ground[0] * (1 - share),
  front[1] * share + ground[1] * (1 - share),
  front[2] * share + ground[2] * (1 - share),
]

const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

/** The WCAG contrast ratio of two colours, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}
