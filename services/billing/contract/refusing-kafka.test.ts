import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareBrokers } from '@parley/bus/kafka-rights'
import { startNativeKafka } from '@parley/engines'
import { createLogger, freePort } from '@parley/kit'
import { testDatabase } from '@parley/testing'
import { onEngine } from '@parley/testing/test-engines'
import { expect, it } from 'vitest'
import { startBilling } from './given-process.ts'

const patience = { timeout: 60_000, interval: 100 }
const topicPrefix = 'parley'
const administrator = 'admin'

onEngine('kafka', () =>
  it('a wrong password of Kafka is named in the log and at /readyz, without the password, ends no process, and is waited for until it is right', async () => {
    await using things = new AsyncDisposableStack()
    const database = things.adopt(await testDatabase(), (opened) => opened.drop())
    const folder = things.adopt(await mkdtemp(join(tmpdir(), 'parley-kafka-')), (path) => rm(path, { recursive: true }))
    const [port, listen] = [await freePort(), `127.0.0.1:${await freePort()}`]
    const startKafka = async (password: string) => {
      const users = { listen, administrator, passwords: { [administrator]: 'its own', billing: password } }
      return await startNativeKafka({ folder, port, users })
    }
    const before = things.adopt(await startKafka('another one'), (broker) => broker.close())
    const sasl = { username: administrator, password: 'its own' }
    const shape = { partitions: 1, replication: 1, topicPrefix }
    await prepareBrokers({ brokers: [listen], sasl, clientId: 'test', log: createLogger('test', 'silent'), ...shape })

    const user = { KAFKA_USERNAME: 'billing', KAFKA_PASSWORD: 'the right one', KAFKA_TOPIC_PREFIX: topicPrefix }
    const billing = things.adopt(await startBilling(database.url, listen, user), (opened) => opened.close())
    await expect
      .poll(billing.readiness, patience)
      .toMatchObject({ status: 'unready', reasons: { kafka: expect.stringMatching(/authentication/i) } })
    expect(billing.reasons()).toContainEqual(expect.stringMatching(/authentication/i))
    expect(billing.output()).not.toMatch(/the right one|another one/)
    await before.close()
    things.adopt(await startKafka('the right one'), (broker) => broker.close())
    await billing.ready()
    expect((await billing.hold('ann')).status).toBe(201)
  }),
)
