/** Why dictation ended, as people are told. */
export const dictationFailures = [
  'permission',
  'microphone',
  'network',
  'silence',
  'service',
  'language',
  'other',
] as const

export type DictationFailure = (typeof dictationFailures)[number]

/** The reason for an error of a recogniser; null for one that somebody wanted. */
export function failureOf(error: string): DictationFailure | null {
  if (error === 'aborted') return null
  return known[error] ?? 'other'
}

const known: Readonly<Record<string, DictationFailure>> = {
  'not-allowed': 'permission',
  'audio-capture': 'microphone',
  network: 'network',
  'no-speech': 'silence',
  'service-not-allowed': 'service',
  'language-not-supported': 'language',
}
