import { commonConfig, readConfig } from '@parley/kit'
import { z } from 'zod'

const { HOST, PORT } = commonConfig

/** Reads the variables of the demo provider as a process of its own. @throws ConfigError naming every faulty one */
export const readDemoConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(z.object({ HOST, PORT }), environment)
