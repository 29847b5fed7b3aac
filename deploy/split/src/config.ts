import { parseArgs } from 'node:util'
import { providerIds } from '@parley/contracts'
import { commonConfig, readConfig } from '@parley/kit'
import { z } from 'zod'

const { PORT, LOG_LEVEL } = commonConfig
const schema = z.object({
  PORT: PORT.default(8080),
  INBOX_PORT: PORT.default(8025),
  LOG_LEVEL: LOG_LEVEL.default('warn'),
})
const mostReplicas = 8

/** What `npm run start:split` is told. */
export interface SplitConfig {
  readonly port: number
  readonly inboxPort: number
  readonly replicas: number
  readonly logLevel: string
  /** Variables that the services are handed as they stand: the level of their logs, keys and addresses of providers. */
  readonly environment: Readonly<Record<string, string>>
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads `--replicas` and the variables. @throws Error naming what is wrong */
export function readSplitConfig(
  args: readonly string[] = process.argv.slice(2),
  environment: Environment = process.env,
): SplitConfig {
  const { values } = parseArgs({ args: [...args], options: { replicas: { type: 'string', default: '1' } } })
  const replicas = Number(values.replicas)
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > mostReplicas) {
    throw new Error(`--replicas: must be a whole number from 1 to ${mostReplicas}`)
  }
  const { PORT: port, INBOX_PORT: inboxPort, LOG_LEVEL: logLevel } = readConfig(schema, environment)
  return {
    port,
    inboxPort,
    replicas,
    logLevel,
    environment: { LOG_LEVEL: logLevel, ...providerVariables(environment) },
  }
}

function providerVariables(environment: Environment): Record<string, string> {
  const names = providerIds.flatMap((id) => [`${id.toUpperCase()}_API_KEY`, `${id.toUpperCase()}_BASE_URL`])
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])))
}
