import { expect, it } from 'vitest'
import { connectTimeoutMs } from '../src/connect-timeout.ts'

it.each([
  ['postgres://parley@db/parley', 2_000],
  ['postgres://parley@db/parley?connect_timeout=20', 20_000],
  ['postgres://parley@db/parley?sslmode=require&connect_timeout=5&x=1', 5_000],
  ['postgres:///parley?host=/run/postgresql&connect_timeout=3', 3_000],
  ['postgres://parley@db/parley?connect_timeout=0', 2_000],
  ['postgres://parley@db/parley?connect_timeout=soon', 2_000],
])('%s has a connection timeout of %i ms', (url, expected) => {
  expect(connectTimeoutMs(url)).toBe(expected)
})
