import { consumerGroups, publishers, type ServiceName, serviceNames } from '@parley/contracts'
import { expect, test } from 'vitest'
import { type KafkaOperation, kafkaRights } from '../src/kafka/kafka-rights.ts'

const rights = kafkaRights('parley')
const topics = (service: ServiceName, operation: KafkaOperation): string[] =>
  rights
    .filter((right) => right.service === service && right.resource === 'TOPIC' && right.operations.includes(operation))
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('parley.dead-letters.'))
    .sort()

test.each(serviceNames)('%s may append to the topic of its own events and to no other', (service) => {
  expect(topics(service, 'WRITE')).toEqual(publishers().includes(service) ? [`parley.${service}`] : [])
  expect(topics(service, 'DELETE')).toEqual([])
})

test.each([
  ['gateway', []],
  ['auth', ['parley.billing', 'parley.llm-router', 'parley.notifier']],
  ['chat', ['parley.auth']],
  ['billing', ['parley.auth', 'parley.chat', 'parley.llm-router']],
  ['memory', ['parley.auth', 'parley.chat']],
  ['share', ['parley.auth']],
] as const)('%s may read the topics that its groups hear', (service, heard) => {
  expect(topics(service, 'READ')).toEqual(heard)
})

test('a group and its dead letters are one service’s alone', () => {
  for (const group of consumerGroups) {
    const [owner] = group.split('.')
    const about = rights.filter(({ name }) => name.includes(group))
    expect(about.map(({ service }) => service)).toEqual(Array(4).fill(owner))
  }
})

test('rights by prefix are those to list dead letters only, and no prefix matches another group’s name', () => {
  const byPrefix = rights.filter(({ isPrefix }) => isPrefix)
  expect(byPrefix.map(({ name }) => name)).toEqual(
    expect.arrayContaining(consumerGroups.map((group) => `parley:list:${group}:`)),
  )
  expect(byPrefix).toHaveLength(consumerGroups.length)
})

test('every service with rights may append to a topic, which idempotent publishing needs', () => {
  const services = new Set(rights.map(({ service }) => service))
  const writers = new Set(rights.filter(({ operations }) => operations.includes('WRITE')).map(({ service }) => service))
  expect(writers).toEqual(services)
})
