/** The system's word for a peer that is not there, and PostgreSQL's: connection lost (08), no room (53), stopping or starting (57P). */
const awayCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|08\w{3}|53\w{3}|57P\d\d)$/
/** What PostgreSQL's driver says without a code, and mongoose before it was connected. */
const awayTexts =
  /^(Connection terminated|Client has encountered a connection error|timeout (exceeded when trying to connect|expired)|.+ buffering timed out)/
/** What MongoDB's driver calls the loss or lack of a connection. */
const awayNames =
  /^(Mongo(Network|NetworkTimeout|ServerSelection|PoolCleared|PoolClosed|TopologyClosed|NotConnected|ClientClosed|WaitQueueTimeout)|MongooseServerSelection|PoolClearedOnNetwork)Error$/
/** MongoDB's word for a server that is stopping, is not the primary, or was not heard of in time by a majority. */
const awayNumbers = new Set([6, 7, 50, 64, 89, 91, 189, 262, 10107, 11600, 11602, 13435, 13436])
/** MongoDB's word for credentials it does not take, rights that are missing, and a full disk. */
const refusalNumbers = new Set([13, 18, 14031])
/** PostgreSQL's word for credentials it does not take (28), a database that is not there, and one that takes no writes. */
const refusalCodes = /^(28\w{3}|3D000|25006)$/

/** True for the error of an engine that cannot be reached now, which may be there again soon. */
export function isEngineAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (awayNames.test(error.name)) return true
  if (typeof code === 'number') return awayNumbers.has(code)
  return typeof code === 'string' ? awayCodes.test(code) : awayTexts.test(error.message)
}

/** True for the error of an engine that is there and will not work for us until an operator has changed something. */
export function isEngineRefusing(error: unknown): boolean {
  const code = codeOf(error)
  return typeof code === 'number' ? refusalNumbers.has(code) : refusalCodes.test(String(code))
}

const codeOf = (error: unknown): unknown => (error instanceof Error ? (error as { code?: unknown }).code : undefined)
