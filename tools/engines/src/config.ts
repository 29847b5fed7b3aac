import { readConfig } from '@parley/kit'
import { z } from 'zod'

/** The official images by digest, as in docker-compose.yml. A variable can set another one, such as a mirror's. */
const imageSchema = z.object({
  KAFKA_IMAGE: z
    .string()
    .default('apache/kafka:4.1.0@sha256:bff074a5d0051dbc0bbbcd25b045bb1fe84833ec0d3c7c965d1797dd289ec88f'),
  MONGO_IMAGE: z.string().default('mongo:8@sha256:d731d77bfd7afd66bd487bdf627b5bf7ce4c3602ec461d635977021db529ebbc'),
  POSTGRES_IMAGE: z
    .string()
    .default('postgres:18@sha256:4ef4dbc939d61acea57712655ddb4b4ab27419c913f94cca0cd57cb3ea3c2280'),
  REDIS_IMAGE: z.string().default('redis:7@sha256:71da9275c5f3fcb97d0fa0c8c5b36cc995327265420f17a04bfd544f458059f7'),
})

const schema = imageSchema.extend({
  /** Brokers of a Kafka to test on, `host:port` separated by commas. */
  TEST_KAFKA_BROKERS: z.string().optional(),
  /** URL of a MongoDB to test on, without a database. */
  TEST_MONGO_URL: z.string().optional(),
  /** A superuser's URL of a PostgreSQL to test on. */
  TEST_POSTGRES_URL: z.string().optional(),
  /** URL of a Redis to test on. */
  TEST_REDIS_URL: z.string().optional(),
  /** Engines to skip, separated by commas. */
  TEST_WITHOUT: z
    .string()
    .default('')
    .transform((names) => names.split(',').filter(Boolean)),
  /** The only source of engines without a URL; by default both, Docker first. */
  PARLEY_ENGINES: z.enum(['docker', 'native']).optional(),
  /** `true` makes a missing engine a failure. */
  CI: z.string().optional(),
  /** The Python for running Python clients, 3.9 or newer. */
  PYTHON: z.string().default('python3'),
  /** The cache of provisioned engines; `~/.cache/parley` by default. */
  PARLEY_CACHE: z.string().optional(),
  /** The address of the Docker engine, as in Docker's own tools. */
  DOCKER_HOST: z.string().optional(),
})

/** The variables that choose engines. */
export const readEngineConfig = () => readConfig(schema, process.env)
