import type { EventOf, EventType } from '@parley/contracts'

/** An event in its envelope. @param key the aggregate's id; order is kept per key */
export const eventOf = <T extends EventType>(
  type: T,
  key: string,
  data: EventOf<T>['data'],
  { id, at }: { readonly id: string; readonly at: Date },
): EventOf<T> => ({ type, id, at: at.toISOString(), v: 1, key, data }) as unknown as EventOf<T>
