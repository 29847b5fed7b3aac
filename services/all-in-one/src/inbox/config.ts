import { commonConfig, extraOrigins, readConfig } from '@parley/kit'
import { z } from 'zod'

const { HOST, PORT } = commonConfig
const inboxConfigSchema = z.object({
  HOST,
  /** Of the page. */
  PORT,
  SMTP_PORT: PORT.default(1025),
  /** Where mails are kept. */
  DATA_DIR: z.string().min(1),
  /** Where people reach the page beside the names of the loopback, with commas between. */
  EXTRA_ORIGINS: extraOrigins,
})

/** Reads the variables of the inbox as a process of its own. @throws ConfigError naming every faulty one */
export const readInboxConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(inboxConfigSchema, environment)
