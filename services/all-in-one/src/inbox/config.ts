import { commonConfig, extraOrigins, readConfig } from '@parley/kit'
import { z } from 'zod'

const { HOST, PORT } = commonConfig
const inboxConfigSchema = z.object({
  HOST,
  /** The port of the page. */
  PORT,
  SMTP_PORT: PORT.default(1025),
  /** The folder of the mails. */
  DATA_DIR: z.string().min(1),
  /** Origins of the page besides loopback names, separated by commas. */
  EXTRA_ORIGINS: extraOrigins,
})

/** Reads the variables of the standalone inbox. @throws ConfigError naming every invalid one */
export const readInboxConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(inboxConfigSchema, environment)
