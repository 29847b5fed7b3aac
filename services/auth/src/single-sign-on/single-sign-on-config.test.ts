import { ConfigError, newIdentityVariables, processSchema, readConfig } from '@parley/kit'
import { describe, expect, test } from 'vitest'
import { auth } from '../manifest.ts'
import { singleSignOnOf } from './single-sign-on-config.ts'

const others = {
  ...newIdentityVariables().auth,
  AUTH_SECRETS: 'a secret of at least 32 characters',
  PORT: '0',
  POSTGRES_URL: 'postgres://auth@localhost/parley',
  KAFKA_BROKERS: 'localhost:9092',
  REDIS_URL: 'redis://localhost',
  PUBLIC_URL: 'http://localhost:8080',
  BILLING_URL: 'http://localhost:8081',
  LLM_ROUTER_URL: 'http://localhost:8082',
}
const provider = { OIDC_ISSUER: 'https://id.example.org/realm', OIDC_CLIENT_ID: 'parley', OIDC_CLIENT_SECRET: 'secret' }
const read = (variables: Record<string, string>) =>
  singleSignOnOf(readConfig(processSchema(auth), { ...others, ...variables }))

describe('single sign-on', () => {
  test('single sign-on is off without its variables, and with empty ones', () => {
    expect(read({})).toBeUndefined()
    expect(read({ OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '', OIDC_LABEL: '' })).toBeUndefined()
    expect(read({ OIDC_LABEL: 'The company' })).toBeUndefined()
  })

  test('single sign-on is on with three variables, and has a name', () => {
    expect(read(provider)).toEqual({
      ...{ issuer: new URL(provider.OIDC_ISSUER), clientId: 'parley', clientSecret: 'secret', label: 'Single sign-on' },
    })
    expect(read({ ...provider, OIDC_LABEL: 'The company' })).toMatchObject({ label: 'The company' })
  })

  test.each(Object.keys(provider))(
    'a single sign-on configuration without %s is refused by the variable’s name, together with all other faults',
    (missing) => {
      const { [missing]: _, ...given } = provider as Record<string, string>
      const wrong = () => read({ ...given, PORT: 'many' })
      expect(wrong).toThrow(ConfigError)
      expect(wrong).toThrow(`${missing}: must be set`)
      expect(wrong).toThrow('PORT: ')
      expect(wrong).not.toThrow('secret')
    },
  )

  test.each(['http://localhost:9000', 'http://127.0.0.1:9000', 'http://[::1]:9000'])(
    'the provider of single sign-on may be at %s',
    (issuer) => {
      expect(read({ ...provider, OIDC_ISSUER: issuer })?.issuer.href).toBe(`${issuer}/`)
    },
  )

  test.each([
    'http://id.example.org',
    'http://localhost.example.org',
    'https://user:secret@id.example.org',
    'https://id.example.org/?x=1',
    'ftp://id.example.org',
    'id.example.org',
  ])('the provider of single sign-on may not be at %s', (issuer) => {
    expect(() => read({ ...provider, OIDC_ISSUER: issuer })).toThrow('OIDC_ISSUER: must be an https URL')
  })
})
