import { type Event, eventSchema, maxEventBytes } from '@parley/contracts'

/**
 * The JSON of an event, with nothing in it that its schema does not know.
 * @throws RangeError when it does not fit its schema or is over 64 KB
 */
export function checkedJson(event: Event): string {
  const result = eventSchema.safeParse(event)
  if (!result.success) throw new RangeError(`Not an event of type ${event?.type}: ${faultsOf(result.error)}`)
  const json = JSON.stringify(result.data)
  if (Buffer.byteLength(json) > maxEventBytes) throw new RangeError(`An event of type ${event.type} is over 64 KB`)
  return json
}

/** The paths and reasons of a refused event, without its values. */
export const faultsOf = (error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] }): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'event'}: ${message}`).join('; ')
