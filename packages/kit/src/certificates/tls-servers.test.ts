import { describe, expect, it } from 'vitest'
import { engineServersOf, serversOfUrl } from './tls-servers.ts'

describe('the servers whose certificates are read', () => {
  it('are the engines that are reached over TLS, each at its own or the usual port', () => {
    expect(
      engineServersOf({
        POSTGRES_URL: 'postgres://parley:p%40ss@db.example/parley?sslmode=verify-full&connect_timeout=5',
        MONGO_URL: 'mongodb://parley:p%40ss@m1.example:27018,m2.example/chat?replicaSet=rs0&tls=true',
        REDIS_URL: 'rediss://:secret@cache.example:6380',
        KAFKA_BROKERS: ['k1.example:9093', '[2001:db8::1]:9094'],
        KAFKA_TLS: true,
      }),
    ).toEqual([
      { host: 'db.example', port: 5432, startTls: 'postgres' },
      { host: 'm1.example', port: 27018 },
      { host: 'm2.example', port: 27017 },
      { host: 'cache.example', port: 6380 },
      { host: 'k1.example', port: 9093 },
      { host: '2001:db8::1', port: 9094 },
    ])
  })

  it('are engines whose addresses say “ssl”, as older ones do', () => {
    const POSTGRES_URL = 'postgres://db.example/parley?ssl=true'
    const MONGO_URL = 'mongodb://m1.example/chat?ssl=true'
    expect(engineServersOf({ POSTGRES_URL, MONGO_URL })).toEqual([
      { host: 'db.example', port: 5432, startTls: 'postgres' },
      { host: 'm1.example', port: 27017 },
    ])
  })

  it('are none of engines without TLS, nor of a process without engines', () => {
    expect(
      engineServersOf({
        POSTGRES_URL: 'postgres://db.example/parley?sslmode=disable',
        MONGO_URL: 'mongodb://m1.example/chat?retryWrites=true',
        REDIS_URL: 'redis://cache.example',
        KAFKA_BROKERS: ['k1.example:9092'],
        KAFKA_TLS: false,
      }),
    ).toEqual([])
    expect(engineServersOf({})).toEqual([])
    expect(engineServersOf({ POSTGRES_URL: 'postgres:///parley?host=/run/postgresql&sslmode=prefer' })).toEqual([])
    expect(engineServersOf({ MONGO_URL: 'mongodb+srv://cluster.example/chat?tls=true' })).toEqual([])
  })

  it.each([
    ['https://chat.example', [{ host: 'chat.example', port: 443 }]],
    ['https://chat.example:8443/path', [{ host: 'chat.example', port: 8443 }]],
    ['http://chat.example', []],
    ['smtps://user:pass@mail.example', [{ host: 'mail.example', port: 465 }]],
    ['smtp://user:pass@mail.example', [{ host: 'mail.example', port: 587, startTls: 'smtp' }]],
    ['smtp://mail.example:25?ignoreTLS=true', []],
    ['not a URL', []],
  ])('of %s are %j', (url, servers) => {
    expect(serversOfUrl(url)).toEqual(servers)
  })
})
