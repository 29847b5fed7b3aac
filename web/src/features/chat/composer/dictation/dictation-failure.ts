/** Why dictation ended, for display. */
export type DictationFailure = 'permission' | 'microphone' | 'network' | 'silence' | 'service' | 'language' | 'other'

/** The reason of a recogniser's error; null if it was caused by the user. */
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
