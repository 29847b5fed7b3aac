/** The reason of a failure, in one line for the log: its message, else its code, or those of the first failure in an aggregate. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0])
  // fetch says why only in its cause.
  if (error.message === 'fetch failed' && error.cause !== undefined) return reasonOf(error.cause)
  const { code } = error as { code?: unknown }
  return (error.message || String(code ?? error.name)).split('\n', 1)[0] ?? ''
}
