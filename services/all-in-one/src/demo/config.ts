import { commonConfig, readConfig } from '@parley/kit'
import { z } from 'zod'

const { HOST, PORT } = commonConfig

/** Reads the variables of the standalone demo provider. @throws ConfigError naming every invalid one */
export const readDemoConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(z.object({ HOST, PORT }), environment)
