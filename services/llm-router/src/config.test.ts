import { expect, it } from 'vitest'
import { z } from 'zod'
import { routerConfigOf, routerVariables } from './config.ts'

const read = (variables: Record<string, string>) => routerConfigOf(z.object(routerVariables).parse(variables))

it.each([
  ['no key is no account', undefined, []],
  ['a key is an account', 'sk-one', ['sk-one']],
  ['keys with commas between are as many accounts', ' sk-one, sk-two,,sk-one ', ['sk-one', 'sk-two']],
])('%s', (_what, variable, apiKeys) => {
  const { providers } = read(variable === undefined ? {} : { OPENAI_API_KEY: variable })
  expect(providers.openai.apiKeys).toEqual(apiKeys)
})

it('private hosts for endpoints are separated by commas', () => {
  expect(read({ ALLOWED_PRIVATE_HOSTS: ' LocalHost, 10.0.0.7,' }).allowedPrivateHosts).toEqual([
    'localhost',
    '10.0.0.7',
  ])
})
