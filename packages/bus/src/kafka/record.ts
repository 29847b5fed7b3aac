import { type Event, maxEventBytes, topicOf, writtenEventJson } from '@parley/contracts'
import type { ITopicConfig, KafkaMessage } from 'kafkajs'
import { isHandled } from '../deliver.ts'
import type { EventHandlers } from '../event-bus.ts'
import type { Outgoing } from './publisher.ts'

/**
 * An event as a record: keyed by its key, its envelope as JSON, and in the headers what tools want to know without parsing it.
 * @throws RangeError when it has no envelope or is over 64 KB
 */
export const recordOf = (event: Event, planOf: (service: string) => ITopicConfig): Outgoing => ({
  // The JSON comes first: it is what refuses something that is no event and so may have no type.
  record: { value: writtenEventJson(event), key: event.key, headers: headersOf(event) },
  plan: planOf(topicOf(event.type)),
})

const headersOf = ({ id, type, trace }: Event): Record<string, string> => ({
  'event-id': id,
  'event-type': type,
  'content-type': 'application/json',
  ...(trace === undefined ? {} : { traceparent: trace }),
})

/** The content of a record: an event, perhaps one that does not fit its schema, or why it is none. */
export type Reading =
  | { readonly event: unknown; readonly fault?: undefined }
  | { readonly fault: string; readonly event: { readonly id: string; readonly type: string } }

/**
 * Reads a record that any producer may have written.
 * @param place names what has no id
 */
export function readRecord({ value }: Pick<KafkaMessage, 'value'>, handlers: EventHandlers, place: string): Reading {
  const event = parse(value)
  if (event === undefined) return { fault: 'Is not JSON', event: { id: place, type: 'unknown' } }
  if ((value?.length ?? 0) <= maxEventBytes || !isHandled(event, handlers)) return { event }
  const { id, type } = event as { id?: unknown; type: string }
  return {
    fault: `Is over ${maxEventBytes} bytes`,
    event: { id: typeof id === 'string' && id.length <= 64 ? id : place, type },
  }
}

function parse(value: Buffer | null): unknown {
  if (value === null) return undefined
  try {
    return JSON.parse(value.toString())
  } catch {
    // The producer's intention is not for us to guess.
    return undefined
  }
}
