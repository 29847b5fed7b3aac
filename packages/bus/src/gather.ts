/**
 * How long more events are waited for after a batch, in milliseconds: after a lone one hardly at all, and the longer the more there were, as a batch costs the
 * database about the same whatever its size.
 * @param events of the batch
 */
export const gatherMs = (events: number): number => Math.min(20 * events, 100)
