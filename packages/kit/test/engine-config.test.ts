import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import {
  kafkaConfig,
  kafkaOptions,
  postgresUrl,
  readConfig,
  redisConfig,
  redisOptions,
  serviceUrl,
  smtpUrl,
} from '../src/index.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-kafka-config-'))
})
afterEach(() => rm(folder, { recursive: true }))

const optionsOf = (environment: Record<string, string>) =>
  kafkaOptions(readConfig(z.object(kafkaConfig), { KAFKA_BROKERS: 'one:9092, two:9092', ...environment }))

test('a service authenticates to Kafka with its name and the password in a file', async () => {
  const file = join(folder, 'kafka-password')
  await writeFile(file, 'a password\n')
  expect(optionsOf({ KAFKA_USERNAME: 'billing', KAFKA_PASSWORD_FILE: file })).toMatchObject({
    brokers: ['one:9092', 'two:9092'],
    sasl: { mechanism: 'plain', username: 'billing', password: 'a password' },
    tls: false,
  })
})

test('a service authenticates to a managed Kafka without showing its password', () => {
  const given = { KAFKA_USERNAME: 'billing', KAFKA_PASSWORD: 'a password', KAFKA_SASL_MECHANISM: 'scram-sha-512' }
  expect(optionsOf(given)).toMatchObject({ sasl: { mechanism: 'scram-sha-512', username: 'billing' } })
  expect(() => optionsOf({ ...given, KAFKA_SASL_MECHANISM: 'aws' })).toThrow('KAFKA_SASL_MECHANISM')
})

test('a service without a name does not authenticate to Kafka', () => {
  expect(optionsOf({ KAFKA_TLS: 'true' })).not.toHaveProperty('sasl')
})

test('Kafka is reached without TLS if the variable says so, and its topics have one replica by default', () => {
  expect(optionsOf({ KAFKA_TLS: 'false' })).toMatchObject({ tls: false, replication: 1 })
})

test('addresses with and without TLS are taken, and the prefix of a shared Redis', () => {
  const schema = z.object({ POSTGRES_URL: postgresUrl, SMTP_URL: smtpUrl, ...redisConfig })
  const given = {
    ...{ POSTGRES_URL: 'postgresql://db/parley', SMTP_URL: 'smtps://mail.example.org' },
    ...{ REDIS_URL: 'rediss://cache', REDIS_PREFIX: 'second' },
  }
  const read = readConfig(schema, given)
  expect(read).toEqual(given)
  expect(redisOptions(read)).toEqual({ url: 'rediss://cache', prefix: 'second' })
})

test('addresses of another kind are refused with the kind that is expected', () => {
  const [POSTGRES_URL, AUTH_URL, SMTP_URL] = ['mysql://db/parley', 'auth:8080', 'http://mail.example.org']
  const schema = z.object({ POSTGRES_URL: postgresUrl, AUTH_URL: serviceUrl, SMTP_URL: smtpUrl, ...redisConfig })
  expect(() => readConfig(schema, { POSTGRES_URL, AUTH_URL, SMTP_URL, REDIS_URL: 'localhost' })).toThrow(
    [
      'Configuration is wrong:',
      '  POSTGRES_URL: must be a postgres:// URL',
      '  AUTH_URL: must be an http:// or https:// URL',
      '  SMTP_URL: must be an smtp:// or smtps:// URL',
      '  REDIS_URL: must be a redis:// or rediss:// URL',
    ].join('\n'),
  )
})

test('the address of a service is taken without a slash at its end, since paths are appended to it', () => {
  const schema = z.object({ AUTH_URL: serviceUrl, CHAT_URL: serviceUrl, BILLING_URL: serviceUrl })
  const given = { AUTH_URL: 'http://auth:8080/', CHAT_URL: 'https://parley/chat//', BILLING_URL: 'http://billing:8080' }
  expect(readConfig(schema, given)).toEqual({
    AUTH_URL: 'http://auth:8080',
    CHAT_URL: 'https://parley/chat',
    BILLING_URL: 'http://billing:8080',
  })
})
