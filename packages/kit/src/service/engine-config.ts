import { z } from 'zod'

/** The address of another service, without a slash at its end: paths are appended to it, and none begins with two. */
export const serviceUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
  .overwrite((url) => url.replace(/\/+$/, ''))

/** The mail server. */
export const smtpUrl = z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' })

/** A database of PostgreSQL. */
export const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' })

/**
 * Options of a session of PostgreSQL: the server drops a connection to a machine that vanished within 5 s, so that another replica can take over.
 * Keepalives are not sent while data such as a notification is unacknowledged: the last one limits that.
 */
export const vanishedMachine =
  '-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=2 -c tcp_user_timeout=5000'

/** A database of MongoDB; a URL in its own sense, which may name several hosts. */
export const mongoUrl = z
  .string()
  .regex(/^mongodb(\+srv)?:\/\/[^/\s]+\/[^/?\s]+/, 'must be a mongodb:// URL that names a database')

/** The variables of services that count, cache or signal. */
export const redisConfig = {
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// URL' }),
  /** Begins every key and channel: systems with different ones share a Redis. */
  REDIS_PREFIX: z.string().min(1).default('parley'),
}

const count = z.coerce.number().int().min(1)

/** The variables of services that publish or consume events. */
export const kafkaConfig = {
  /** `host:port`, with commas between. */
  KAFKA_BROKERS: z
    .string()
    .transform((list) => list.split(',').map((broker) => broker.trim()))
    .refine(
      (brokers) => brokers.every((broker) => /^[^\s:]+:\d+$/.test(broker)),
      'must be host:port, with commas between',
    ),
  KAFKA_USERNAME: z.string().optional(),
  KAFKA_PASSWORD: z.string().optional(),
  /** How the user authenticates; the `scram` ones do not show the password to a listener. */
  KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).default('plain'),
  KAFKA_TLS: z.stringbool().default(false),
  /** Begins the name of every topic and group: systems with different ones share a Kafka. */
  KAFKA_TOPIC_PREFIX: z.string().min(1).default('parley'),
  /** For topics that are created; existing ones are not changed. */
  KAFKA_PARTITIONS: count.default(6),
  KAFKA_REPLICATION: count.default(1),
}

type KafkaVariables = z.output<z.ZodObject<typeof kafkaConfig>>

/** The options of `openKafkaBus` out of the variables. A user without a password is refused by Kafka, not here. */
export const kafkaOptions = (variables: KafkaVariables) => ({
  brokers: variables.KAFKA_BROKERS,
  topicPrefix: variables.KAFKA_TOPIC_PREFIX,
  partitions: variables.KAFKA_PARTITIONS,
  replication: variables.KAFKA_REPLICATION,
  tls: variables.KAFKA_TLS,
  ...(variables.KAFKA_USERNAME === undefined
    ? {}
    : {
        sasl: {
          mechanism: variables.KAFKA_SASL_MECHANISM,
          username: variables.KAFKA_USERNAME,
          password: variables.KAFKA_PASSWORD ?? '',
        },
      }),
})

/** The options of `openRedisEngine` out of the variables. */
export const redisOptions = (variables: z.output<z.ZodObject<typeof redisConfig>>) => ({
  url: variables.REDIS_URL,
  prefix: variables.REDIS_PREFIX,
})
