/** Error codes of the system for an unreachable peer, and of PostgreSQL: connection lost (08), no room (53), stopping or starting (57P). */
const unavailableCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|08\w{3}|53\w{3}|57P\d\d)$/
/** Messages of PostgreSQL's driver without a code, and of mongoose before it was connected. */
const unavailableTexts =
  /^(Connection terminated|Client has encountered a connection error|timeout (exceeded when trying to connect|expired)|.+ buffering timed out)/
/** Names of MongoDB's driver for the loss or lack of a connection. */
const unavailableNames =
  /^(Mongo(Network|NetworkTimeout|ServerSelection|PoolCleared|PoolClosed|TopologyClosed|NotConnected|ClientClosed|WaitQueueTimeout)|MongooseServerSelection|PoolClearedOnNetwork)Error$/
/** MongoDB's codes for a server that is stopping, is not the primary, or did not reach a majority in time. */
const unavailableNumbers = new Set([6, 7, 50, 64, 89, 91, 189, 262, 10107, 11600, 11602, 13435, 13436])
/** MongoDB's codes for refused credentials, missing rights, and a full disk. */
const refusalNumbers = new Set([13, 18, 14031])
/** PostgreSQL's codes for refused credentials (28), a missing database, and one that takes no writes. */
const refusalCodes = /^(28\w{3}|3D000|25006)$/

/** True for the error of an engine that cannot be reached now, but may be soon. */
export function isEngineUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (unavailableNames.test(error.name) || hasNoSocket(error)) return true
  if (typeof code === 'number') return unavailableNumbers.has(code)
  return typeof code === 'string' ? unavailableCodes.test(code) : unavailableTexts.test(error.message)
}

/** True for the error of an engine that is there and will not work for us until an operator has changed something. */
export function isEngineRefusing(error: unknown): boolean {
  const code = codeOf(error)
  return typeof code === 'number' ? refusalNumbers.has(code) : refusalCodes.test(String(code))
}

/** Nobody listens at a Unix socket, and its file is gone. */
const hasNoSocket = ({ code, syscall }: NodeJS.ErrnoException): boolean => code === 'ENOENT' && syscall === 'connect'

const codeOf = (error: unknown): unknown => (error instanceof Error ? (error as { code?: unknown }).code : undefined)
