import { readConfig } from '@parley/kit'
import { z } from 'zod'

const schema = z.object({
  /** Brokers of a Kafka to test on, `host:port` with commas between. */
  TEST_KAFKA_BROKERS: z.string().optional(),
  /** URL of a MongoDB to test on, without a database. */
  TEST_MONGO_URL: z.string().optional(),
  /** A superuser's URL of a PostgreSQL to test on. */
  TEST_POSTGRES_URL: z.string().optional(),
  /** URL of a Redis to test on. */
  TEST_REDIS_URL: z.string().optional(),
  /** Engines that are known not to be had, with commas between: nobody tries again. */
  TEST_WITHOUT: z
    .string()
    .default('')
    .transform((names) => names.split(',').filter(Boolean)),
  /** The only way to get engines that have no address; both, Docker first, unless told. */
  PARLEY_ENGINES: z.enum(['docker', 'native']).optional(),
  /** `true` makes a missing engine a failure. */
  CI: z.string().optional(),
  /** Where provisioned engines are kept; `~/.cache/parley` unless told. */
  PARLEY_CACHE: z.string().optional(),
  /** Where the Docker engine listens, as Docker's own programs know it. */
  DOCKER_HOST: z.string().optional(),
})

/** The variables that choose the engines of a test run. */
export const readTestConfig = () => readConfig(schema, process.env)

/** Tells testcontainers to start no container that watches over the others: that image can often not be had, and we watch over them ourselves. */
export const disableRyuk = (): void => {
  process.env.TESTCONTAINERS_RYUK_DISABLED = 'true'
}
