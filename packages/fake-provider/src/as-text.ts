/** A value of a request as text. `String` would throw for an object whose `toString` is data of the caller. */
export const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
