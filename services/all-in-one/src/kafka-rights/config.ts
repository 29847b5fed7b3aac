import { commonConfig, kafkaConfig, kafkaOptions, readConfig } from '@parley/kit'
import { z } from 'zod'

const schema = z.object({ LOG_LEVEL: commonConfig.LOG_LEVEL, ...kafkaConfig })

/** Reads the brokers' addresses, the administrator's credentials and the topic settings. @throws ConfigError naming every invalid variable */
export function readKafkaRightsConfig() {
  const config = readConfig(schema, process.env)
  return { logLevel: config.LOG_LEVEL, kafka: kafkaOptions(config) }
}
