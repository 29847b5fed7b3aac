import { prepareBrokers } from '@parley/bus/kafka-rights'
import { createLogger, retryWithBackoff, runMain } from '@parley/kit'
import { readKafkaRightsConfig } from './config.ts'

/** Waits for the brokers, creates topics and grants rights as their administrator, and exits. */
await runMain(async () => {
  const { kafka, logLevel } = readKafkaRightsConfig()
  const log = createLogger('kafka-rights', logLevel)
  const act = () => prepareBrokers({ ...kafka, clientId: 'kafka-rights', log })
  await retryWithBackoff({ what: 'preparing the brokers', act, log, signal: new AbortController().signal })
  log.info('topics and rights are in place')
})
