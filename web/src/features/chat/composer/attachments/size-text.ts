const units = ['byte', 'kilobyte', 'megabyte'] as const

/** A file's size as people read it: `203 bytes`, `412 kB`, `3.1 MB`. */
export function sizeText(bytes: number, locale: string): string {
  const power = bytes < 1_000 ? 0 : bytes < 999_500 ? 1 : 2
  const value = bytes / 1_000 ** power
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value)
}
