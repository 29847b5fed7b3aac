/** The relevant parts of a User-Agent. Null for missing ones. */
export interface Device {
  readonly browser: string | null
  readonly system: string | null
  readonly handheld: boolean
}

type Mark = readonly [pattern: RegExp, name: string]

// Browsers also name those they are compatible with, so the most specific comes first.
const browsers: readonly Mark[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const systems: readonly Mark[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (marks: readonly Mark[], userAgent: string): string | null =>
  marks.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null

/** Parses a User-Agent header. */
export function deviceOf(userAgent: string): Device {
  const system = nameIn(systems, userAgent)
  return {
    browser: nameIn(browsers, userAgent),
    system,
    handheld: system === 'iPhone' || system === 'iPad' || system === 'Android',
  }
}
