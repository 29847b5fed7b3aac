/** Why dictation ended, as people are told. */
export type DictationFailure = 'permission' | 'microphone' | 'network' | 'silence' | 'service' | 'language' | 'other'

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
