import type { ProviderRequest } from './request.ts'
import type { ProviderScript } from './script.ts'

/** An event of a stream. Scripts act before those with text, reasoning or arguments, and before the last one. */
export interface ProviderFrame {
  readonly event?: string
  readonly data: string
  readonly kind?: 'piece' | 'end'
}

/** The event in the SSE wire format. */
export const frameText = ({ event, data }: ProviderFrame, newline = '\n'): string =>
  `${event === undefined ? '' : `event: ${event}${newline}`}data: ${data}${newline}${newline}`

/** A wire format of providers. */
export interface WireFormat {
  /** The events of a healthy stream. */
  frames(request: ProviderRequest, script: ProviderScript): AsyncIterable<ProviderFrame>
  /** The complete response to a call without `stream`. */
  whole(request: ProviderRequest, script: ProviderScript): Promise<unknown>
  /** An error, also used inside a stream. */
  error(message: string): ProviderFrame
}
