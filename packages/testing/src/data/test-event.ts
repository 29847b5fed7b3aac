import { eventOf } from '@parley/bus'
import type { EventOf, EventType } from '@parley/contracts'
import { newId } from '@parley/kit'

/** An event of now, as a service writes it. */
export const testEvent = <T extends EventType>(type: T, key: string, data: EventOf<T>['data'], id = newId()) =>
  eventOf(type, key, data, { id, at: new Date() })
