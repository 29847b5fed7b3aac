import assert from 'node:assert/strict'
import type { Project } from './project.ts'

/** Programs for a service's container that probe the rights of its credentials, printing one word per question. */
const questions = {
  /** The brokers' replies to publishing to this topic, listing topics, creating one, and an anonymous client. */
  kafka: `
    const { Kafka, logLevel } = await import('kafkajs')
    const { readFileSync } = await import('node:fs')
    const sasl = { mechanism: 'plain', username: process.env.KAFKA_USERNAME, password: readFileSync(process.env.KAFKA_PASSWORD_FILE, 'utf8') }
    const kafka = (more) => new Kafka({ brokers: [process.env.KAFKA_BROKERS], logLevel: logLevel.NOTHING, retry: { retries: 0 }, ...more })
    const code = (error) => error.type ?? error.cause?.type ?? error.name
    const producer = kafka({ sasl }).producer({ allowAutoTopicCreation: false })
    await producer.connect()
    const said = [await producer.send({ topic: process.argv[1], messages: [{ value: '{}' }] }).then(() => 'taken', code)]
    await producer.disconnect()
    const admin = kafka({ sasl }).admin()
    await admin.connect()
    said.push((await admin.listTopics()).filter((name) => !name.includes('dead-letters')).sort().join(' '))
    said.push(await admin.createTopics({ topics: [{ topic: 'parley.mine' }] }).then(() => 'made', code))
    await admin.disconnect()
    const nobody = kafka({}).admin()
    said.push(await nobody.connect().then(() => nobody.listTopics()).then(() => 'let in', () => 'refused'))
    console.log(JSON.stringify(said))`,
  /** Which of these host and port pairs accept a connection. */
  reach: `
    const { connect } = await import('node:net')
    const { Resolver } = await import('node:dns/promises')
    // A name outside of this container's networks is resolved externally, where the query may time out.
    const resolver = new Resolver({ timeout: 10000, tries: 1 })
    const tried = JSON.parse(process.argv[1]).map(async (place) => {
      const [name, port] = place.split(':')
      const [host] = await resolver.resolve4(name).catch(() => [])
      if (host === undefined) return null
      return await new Promise((resolve) => {
        const socket = connect({ host, port: Number(port), timeout: 10000 })
        const end = (answer) => { socket.destroy(); resolve(answer) }
        socket.once('connect', () => end(place)).once('error', () => end(null)).once('timeout', () => end(null))
      })
    })
    console.log(JSON.stringify((await Promise.all(tried)).filter(Boolean)))`,
} as const

function ask(project: Project, service: string, question: keyof typeof questions, about: string): unknown {
  const answer = project.inside(service, 'node', '--input-type=module', '--eval', questions[question], about)
  return JSON.parse(answer)
}

/** Checks least privilege in a running system: a service's credentials give no access to data of another. */
export function checkRights(project: Project): void {
  const [foreign, listed, made, nobody] = ask(project, 'billing', 'kafka', 'parley.auth') as string[]
  assert.match(String(foreign), /AUTHORIZATION/)
  assert.equal(listed, 'parley.auth parley.billing parley.chat parley.llm-router')
  assert.match(String(made), /AUTHORIZATION|KafkaJSCreateTopicError|KafkaJSAggregateError/)
  assert.equal(nobody, 'refused')
  console.log(
    '✓ a service publishes only to its own topic, sees the topics it consumes, creates none, and anonymous clients are refused',
  )

  const redis = (service: string, ...command: string[]): string =>
    project.inside(
      'redis',
      'redis-cli',
      '-u',
      project.inside(service, 'cat', `/run/secrets/${service}/redis-url`),
      ...command,
    )
  assert.equal(redis('chat', 'set', 'parley:cache:chat:probe', '1', 'px', '1000'), 'OK')
  for (const command of [['get', 'parley:cache:auth:x'], ['keys', '*'], ['flushall']]) {
    assert.match(redis('chat', ...command), /NOPERM/, command.join(' '))
  }
  console.log('✓ a service has its own keys in Redis and no others')

  const mongo = (service: string, database: string): string => {
    const url = project.inside(service, 'cat', `/run/secrets/${service}/mongo-url`)
    const find = `print(db.getSiblingDB('${database}').getCollection('probe').find().toArray().length)`
    return project.inside('mongo', 'mongosh', url, '--quiet', '--norc', '--eval', find)
  }
  assert.equal(mongo('chat', 'chat'), '0')
  if (project.inside('chat', 'cat', '/run/secrets/chat/mongo-url').includes('authSource=admin'))
    console.log('– this MongoDB-compatible server has no users: services can access each other’s databases')
  else {
    assert.throws(() => mongo('chat', 'share'), /not authorized|requires authentication|Unauthorized/i)
    console.log('✓ a service has its own database in MongoDB and no other')
  }

  assert.throws(() => project.inside('billing', 'cat', '/run/secrets/auth/postgres-url'), /Permission denied/)
  const places = JSON.stringify(['inbox:1025', 'mongo:27017', 'redis:6379', 'postgres:5432', 'kafka:9092', 'auth:8080'])
  assert.deepEqual(ask(project, 'billing', 'reach', places), ['redis:6379', 'postgres:5432', 'kafka:9092', 'auth:8080'])
  assert.deepEqual(ask(project, 'notifier', 'reach', places), [
    'inbox:1025',
    'postgres:5432',
    'kafka:9092',
    'auth:8080',
  ])
  assert.deepEqual(ask(project, 'gateway', 'reach', places), ['redis:6379', 'auth:8080'])
  console.log('✓ a service reaches only the engines that it uses, and only notifier reaches the inbox')
}
