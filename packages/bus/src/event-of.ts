import type { EventOf, EventType } from '@parley/contracts'
import { currentTraceparent } from '@parley/kit'

/** An event in its envelope, which remembers the trace that it was made in. @param key the aggregate's id; order is kept per key */
export const eventOf = <T extends EventType>(
  type: T,
  key: string,
  data: EventOf<T>['data'],
  { id, at }: { readonly id: string; readonly at: Date },
): EventOf<T> => {
  const trace = currentTraceparent()
  return { type, id, at: at.toISOString(), v: 1, key, data, ...(trace && { trace }) } as unknown as EventOf<T>
}
