/** The system's word for a peer that is not there, and PostgreSQL's: connection lost (08), no room (53), stopping or starting (57P). */
const codes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|08\w{3}|53\w{3}|57P\d\d)$/
/** What PostgreSQL's driver says without a code. */
const texts =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/

/** True for the error of an engine that cannot be reached now, which may be there again soon. */
export function isEngineAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? codes.test(code) : texts.test(error.message)
}
