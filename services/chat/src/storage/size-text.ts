const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Bytes as people read them: `203 byte`, `412 kB`, `3.1 MB`, `1 GB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / 1_000 ** power
  const digits = { maximumFractionDigits: value < 10 ? 1 : 0 }
  return new Intl.NumberFormat('en', { style: 'unit', unit: units[power] ?? 'byte', ...digits }).format(value)
}
