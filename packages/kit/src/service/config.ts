import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { areOrigins } from '../http/own-addresses.ts'

/** Thrown when variables are missing or wrong; the message lists every fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads a process's variables by their schema. Empty means not set; `NAME_FILE` gives a file whose content is the value.
 * @throws ConfigError naming every faulty variable at once, without its value.
 */
export function readConfig<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Environment = process.env,
): z.output<Schema> {
  const faults: string[] = []
  const values: Record<string, string> = {}
  for (const name of Object.keys(schema.shape)) {
    const value = environment[name] || readSecretFile(environment[`${name}_FILE`], name, faults)
    if (value) values[name] = value
  }
  const result = schema.safeParse(values)
  if (!result.success) {
    faults.push(...result.error.issues.map((issue) => describeFault(issue, values)))
  }
  if (faults.length > 0 || !result.success) throw new ConfigError(`Configuration is wrong:\n  ${faults.join('\n  ')}`)
  return result.data
}

function describeFault({ path, message }: z.core.$ZodIssue, values: Readonly<Record<string, string>>): string {
  const name = path.join('.')
  if (name === '') return `configuration: ${message}`
  return `${name}: ${name in values ? message : 'must be set'}`
}

function readSecretFile(path: string | undefined, name: string, faults: string[]): string | undefined {
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    faults.push(`${name}_FILE: cannot be read (${(error as NodeJS.ErrnoException).code})`)
    return undefined
  }
}

/** Further origins under which people reach the product, with commas between. */
export const extraOrigins = z
  .string()
  .default('')
  .refine(areOrigins, 'must be origins, such as https://chat.example.org, with commas between')

/** A secret, and those before it that are still recognised. */
export type Secrets = readonly [string, ...string[]]

/** Secrets of one service, separated by commas: the first seals and signs, the others still open and recognise what they made. */
export const secrets = z
  .string()
  .refine((text) => text.split(',').every(({ length }) => length >= 32), 'must have at least 32 characters each')
  .transform((text) => text.split(',') as unknown as Secrets)

/** Seconds until the first token of an answer, including retries and fallbacks. Models that think before they write may need more. */
export const firstTokenSeconds = z.coerce.number().int().min(1).max(540).default(30)

/** Variables that every service has, beside its keys. */
export const commonConfig = {
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65535),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** How long running answers may continue after the process was told to stop. */
  STOP_GRACE_SECONDS: z.coerce.number().int().min(0).max(3600).default(30),
  /** How long connections are still accepted after that, until the load balancer has seen that the process is not ready. */
  DRAIN_DELAY_MS: z.coerce.number().int().min(0).max(60_000).default(1_000),
  /** Base URL of a collector of traces that speaks OTLP over HTTP; off without it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional(),
}
