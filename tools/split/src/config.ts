import { parseArgs } from 'node:util'
import { providerIds } from '@parley/contracts'
import { commonConfig, readConfig } from '@parley/kit'
import { z } from 'zod'

const { PORT, LOG_LEVEL } = commonConfig
const schema = z.object({
  PORT: PORT.default(8080),
  INBOX_PORT: PORT.default(8025),
  LOG_LEVEL: LOG_LEVEL.default('warn'),
  WEB_DIR: z.string().min(1).optional(),
})
const signOnNames = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_LABEL']
const mostReplicas = 8

/** The configuration of `npm run start:split`. */
export interface SplitConfig {
  readonly port: number
  readonly inboxPort: number
  readonly replicas: number
  readonly logLevel: string
  /** The built SPA, if not that of the web workspace. */
  readonly webDir?: string
  /** Variables passed to services unchanged: log level, and keys and addresses of providers, single sign-on and tools. */
  readonly environment: Readonly<Record<string, string>>
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads `--replicas` and the variables. @throws Error naming the invalid value */
export function readSplitConfig(
  args: readonly string[] = process.argv.slice(2),
  environment: Environment = process.env,
): SplitConfig {
  const { values } = parseArgs({ args: [...args], options: { replicas: { type: 'string', default: '1' } } })
  const replicas = Number(values.replicas)
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > mostReplicas) {
    throw new Error(`--replicas: must be a whole number from 1 to ${mostReplicas}`)
  }
  const { PORT: port, INBOX_PORT: inboxPort, LOG_LEVEL: logLevel, WEB_DIR: webDir } = readConfig(schema, environment)
  return {
    port,
    inboxPort,
    replicas,
    logLevel,
    ...(webDir && { webDir }),
    environment: { LOG_LEVEL: logLevel, ...outsiderVariables(environment) },
  }
}

function outsiderVariables(environment: Environment): Record<string, string> {
  const outsiders = [...providerIds.map((id) => id.toUpperCase()), 'EXA', 'QUOTES']
  const names = [...outsiders.flatMap((outsider) => [`${outsider}_API_KEY`, `${outsider}_BASE_URL`]), ...signOnNames]
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])))
}
