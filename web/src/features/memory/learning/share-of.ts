/** A part of a whole as a CSS length, such as `40%`; zero for an empty whole. */
export const shareOf = (part: number, whole: number): string =>
  `${whole <= 0 ? 0 : Math.min(100, Math.max(0, Math.round((part / whole) * 1000) / 10))}%`
