import { type DestinationStream, type Logger, pino } from 'pino'
import { currentTraceIds } from './tracing/spans.ts'

export type { Logger } from 'pino'

const secrets = ['password', 'newPassword', 'currentPassword', 'token', 'secret', 'apiKey', 'authorization', 'cookie']

/** Codes of bodies are what people are mailed; those of errors say what went wrong, and stay. */
const codes = ['code', 'body.code', 'data.code']

/** A JSON logger of one service; within a trace its lines have `traceId` and `spanId`. Fields that carry secrets are masked wherever they stand one level deep. */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    name: service,
    level,
    mixin: currentTraceIds,
    redact: { paths: [...codes, ...secrets.flatMap((field) => [field, `*.${field}`])], censor: '[hidden]' },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
