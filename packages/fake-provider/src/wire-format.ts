import type { ProviderRequest } from './request.ts'
import type { ProviderScript } from './script.ts'

/** One event of a stream; scripts act before those that carry text, reasoning or arguments, and before the last one. */
export interface ProviderFrame {
  readonly event?: string
  readonly data: string
  readonly kind?: 'piece' | 'end'
}

/** The event as it is sent. */
export const frameText = ({ event, data }: ProviderFrame, newline = '\n'): string =>
  `${event === undefined ? '' : `event: ${event}${newline}`}data: ${data}${newline}${newline}`

/** One way in which providers say an answer. */
export interface WireFormat {
  /** The events of a healthy stream. */
  frames(request: ProviderRequest, script: ProviderScript): AsyncIterable<ProviderFrame>
  /** The answer to a call that did not ask for a stream. */
  whole(request: ProviderRequest, script: ProviderScript): Promise<unknown>
  /** Also sent inside a stream. */
  error(message: string): ProviderFrame
}
