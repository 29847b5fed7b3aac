/** What is used of the browser's recogniser of speech, which TypeScript does not know. */
export interface Recogniser {
  lang: string
  continuous: boolean
  interimResults: boolean
  onresult: ((event: RecogniserResult) => void) | null
  onerror: ((event: { readonly error: string }) => void) | null
  onend: (() => void) | null
  start(): void
  /** Ends with the results of what was heard until now. */
  stop(): void
  /** Ends with nothing more. */
  abort(): void
}

interface RecogniserResult {
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }> & { readonly isFinal: boolean }>
}

interface RecogniserWindow {
  readonly SpeechRecognition?: new () => Recogniser
  readonly webkitSpeechRecognition?: new () => Recogniser
}

/** The browser's recogniser under either of its names; undefined where it has none. */
export const recogniserOf = (window: RecogniserWindow): (new () => Recogniser) | undefined =>
  window.SpeechRecognition ?? window.webkitSpeechRecognition
