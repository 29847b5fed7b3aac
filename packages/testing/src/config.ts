import { readConfig } from '@parley/kit'
import { z } from 'zod'

const schema = z.object({
  /** A superuser's URL of a PostgreSQL to test on instead of the embedded one. */
  TEST_POSTGRES_URL: z.string().optional(),
})

/** The variables that choose the engines of a test run. */
export const readTestConfig = () => readConfig(schema, process.env)
