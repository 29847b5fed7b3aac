import { commonConfig, readConfig } from '@parley/kit'
import { z } from 'zod'
import { pieceMs } from './provider.ts'

const { HOST, PORT } = commonConfig
/** Milliseconds between two chunks of an answer: reading speed. */
const DEMO_PIECE_MS = z.coerce.number().int().min(0).max(60_000).default(pieceMs)

/** Reads the variables of the standalone demo provider. @throws ConfigError naming every invalid one */
export const readDemoConfig = (environment: NodeJS.ProcessEnv = process.env) =>
  readConfig(z.object({ HOST, PORT, DEMO_PIECE_MS }), environment)
