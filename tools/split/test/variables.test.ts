import { serviceNames } from '@parley/contracts'
import { newIdentityVariables, urlVariable } from '@parley/kit'
import { describe, expect, it } from 'vitest'
import { readSplitConfig } from '../src/config.ts'
import { type Environment, variablesOf } from '../src/variables.ts'

const environment: Environment = {
  engines: { kafka: '127.0.0.1:9092', mongo: 'mongodb://m', postgres: 'postgres://root@p', redis: 'redis://r' },
  data: {
    folder: '/nowhere',
    secrets: { AUTH_SECRETS: 'of auth', CHAT_SECRETS: 'of chat' },
    topicPrefix: 'parley-1',
    keyPrefix: 'parley-1',
    postgresUrl: 'postgres://root@p/parley_1',
    mongoUrlOf: (service) => `mongodb://m/parley_1_${service}`,
    postgresUrlOf: (service) => `postgres://${service}@p/parley_1`,
    adminPassword: undefined,
    keepAdminPassword: async () => undefined,
    drop: async () => undefined,
  },
  identity: newIdentityVariables(),
  urls: Object.fromEntries(serviceNames.map((name) => [name, `http://${name}`])) as Environment['urls'],
  publicUrl: 'http://localhost:1',
  smtpUrl: 'smtp://s',
  demoUrl: 'http://demo',
  given: {
    LOG_LEVEL: 'warn',
    ADMIN_PASSWORD: 'of the admin',
    OIDC_CLIENT_SECRET: 'of single sign-on',
    OPENAI_API_KEY: 'of openai',
    EXA_API_KEY: 'of exa',
    QUOTES_BASE_URL: 'http://q',
  },
}
const of = (service: (typeof serviceNames)[number]) => variablesOf(service, 1, environment)

describe('the variables of a service', () => {
  it('include its engines and no others', () => {
    const engines = ['POSTGRES_URL', 'MONGO_URL', 'KAFKA_BROKERS', 'REDIS_URL']
    const used = serviceNames.map((service) => [service, engines.filter((name) => name in of(service))])
    expect(Object.fromEntries(used)).toMatchObject({
      gateway: ['REDIS_URL'],
      auth: ['POSTGRES_URL', 'KAFKA_BROKERS', 'REDIS_URL'],
      chat: ['MONGO_URL', 'KAFKA_BROKERS', 'REDIS_URL'],
      'llm-router': ['POSTGRES_URL', 'KAFKA_BROKERS', 'REDIS_URL'],
      billing: ['POSTGRES_URL', 'KAFKA_BROKERS', 'REDIS_URL'],
      memory: ['MONGO_URL', 'KAFKA_BROKERS', 'REDIS_URL'],
      notifier: ['POSTGRES_URL', 'KAFKA_BROKERS'],
      realtime: ['REDIS_URL'],
      share: ['MONGO_URL', 'KAFKA_BROKERS', 'REDIS_URL'],
    })
  })

  it('include a secret for its owner only, and common variables for all', () => {
    const told = (name: string) => serviceNames.filter((service) => name in of(service))
    for (const name of ['AUTH_SECRETS', 'ADMIN_PASSWORD', 'OIDC_CLIENT_SECRET']) expect(told(name)).toEqual(['auth'])
    expect(told('OPENAI_API_KEY')).toEqual(['llm-router'])
    for (const name of ['CHAT_SECRETS', 'EXA_API_KEY', 'QUOTES_BASE_URL']) expect(told(name)).toEqual(['chat'])
    expect(told('LOG_LEVEL')).toEqual([...serviceNames])
    expect(new Set(serviceNames.map((name) => of(name).IDENTITY_PRIVATE_KEY)).size).toBe(serviceNames.length)
    expect(new Set(serviceNames.map((name) => of(name).IDENTITY_PUBLIC_KEYS)).size).toBe(1)
  })

  it('include the services that it calls and no others', () => {
    const addressesFor = (service: (typeof serviceNames)[number]) =>
      serviceNames.map(urlVariable).filter((name) => name in of(service))
    expect(addressesFor('billing')).toEqual(['AUTH_URL'])
    expect(addressesFor('chat')).toEqual(['AUTH_URL', 'LLM_ROUTER_URL', 'BILLING_URL', 'MEMORY_URL'])
    expect(addressesFor('gateway')).toHaveLength(serviceNames.length - 1)
  })

  it('replace unset providers by the demo', () => {
    expect(of('llm-router')).toMatchObject({ OPENAI_API_KEY: 'of openai', DEEPSEEK_BASE_URL: 'http://demo' })
    expect(of('llm-router')).not.toHaveProperty('OPENAI_BASE_URL')
  })
})

describe('the configuration of the launcher', () => {
  it('takes replicas from an argument, and passes on variables of providers and single sign-on', () => {
    const told = readSplitConfig(['--replicas', '2'], {
      ...{ PORT: '0', XAI_API_KEY: 'key', OIDC_ISSUER: 'https://id.test', HOME: '/root' },
    })
    expect(told).toMatchObject({
      replicas: 2,
      port: 0,
      environment: { LOG_LEVEL: 'warn', XAI_API_KEY: 'key', OIDC_ISSUER: 'https://id.test' },
    })
    expect(told.environment).not.toHaveProperty('HOME')
  })

  it.each(['0', '2.5', 'two', '9'])('refuses %s replicas', (replicas) => {
    expect(() => readSplitConfig(['--replicas', replicas], {})).toThrow('--replicas')
  })
})
