import { commonConfig, kafkaConfig, kafkaOptions, readConfig } from '@parley/kit'
import { z } from 'zod'

const schema = z.object({ LOG_LEVEL: commonConfig.LOG_LEVEL, ...kafkaConfig })

/** Reads where the brokers are, as whom they are administered, and what is made there. @throws ConfigError naming every faulty variable */
export function readKafkaRightsConfig(environment: NodeJS.ProcessEnv = process.env) {
  const config = readConfig(schema, environment)
  return { logLevel: config.LOG_LEVEL, kafka: kafkaOptions(config) }
}
