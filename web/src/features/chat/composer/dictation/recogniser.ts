/** The part of the Web Speech API that is used, for which TypeScript has no types. */
export interface Recogniser {
  lang: string
  continuous: boolean
  interimResults: boolean
  onresult: ((event: RecogniserResult) => void) | null
  onerror: ((event: { readonly error: string }) => void) | null
  onend: (() => void) | null
  start(): void
  /** Ends after the results of what was spoken so far. */
  stop(): void
  /** Ends without further results. */
  abort(): void
}

interface RecogniserResult {
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }> & { readonly isFinal: boolean }>
}

interface RecogniserWindow {
  readonly SpeechRecognition?: new () => Recogniser
  readonly webkitSpeechRecognition?: new () => Recogniser
}

/** The browser's speech recogniser, prefixed or not; undefined if it has none. */
export const recogniserOf = (window: RecogniserWindow): (new () => Recogniser) | undefined =>
  window.SpeechRecognition ?? window.webkitSpeechRecognition
