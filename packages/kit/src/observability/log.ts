import { type DestinationStream, type Logger, pino } from 'pino'
import { currentTraceIds } from './tracing/spans.ts'

export type { Logger } from 'pino'

const secrets = ['password', 'newPassword', 'currentPassword', 'token', 'secret', 'apiKey', 'authorization', 'cookie']

/** In bodies, `code` is a secret that people are mailed; in errors it says what went wrong, and is logged. */
const codes = ['code', 'body.code', 'data.code']

/** A JSON logger for one service; within a trace its lines have `traceId` and `spanId`. Secret fields are masked at the top and one level deep. */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    name: service,
    level,
    mixin: currentTraceIds,
    redact: { paths: [...codes, ...secrets.flatMap((field) => [field, `*.${field}`])], censor: '[hidden]' },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
