import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import { currentTraceIds } from './tracing/spans.ts'

export type { Logger } from 'pino'

const secrets = ['password', 'newPassword', 'currentPassword', 'token', 'secret', 'apiKey', 'authorization', 'cookie']

/** In bodies, `code` is a secret that people are mailed; in errors it says what went wrong, and is logged. */
const codes = ['code', 'body.code', 'data.code']

/** What is logged of an error. Drivers add to theirs the rows and documents that could not be written, which hold texts and addresses of users. */
const errorFields = ['type', 'message', 'stack', 'code', 'syscall', 'address', 'port', 'table', 'constraint']

function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const told = Object.entries(stdSerializers.err(error)).filter(([field]) => errorFields.includes(field))
  const aggregateErrors = error instanceof AggregateError ? { aggregateErrors: error.errors.map(errorOf) } : {}
  return { ...Object.fromEntries(told), ...aggregateErrors }
}

/** A JSON logger for one service; within a trace its lines have `traceId` and `spanId`. Secret fields are masked at the top and one level deep. */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    name: service,
    level,
    mixin: currentTraceIds,
    serializers: { err: errorOf },
    redact: { paths: [...codes, ...secrets.flatMap((field) => [field, `*.${field}`])], censor: '[hidden]' },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
