import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorAnswer, unavailable } from '@parley/kit'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { generatedFiles } from '../src/files.ts'
import { chartEntries } from '../src/services.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const values = parse(read('helm/parley/values.yaml')) as {
  readonly services: Readonly<Record<string, unknown>>
  readonly images: Readonly<Record<string, string>>
  readonly migrations: { readonly deadlineSeconds: number }
}

describe('the chart of Parley', () => {
  it.each(Object.entries(generatedFiles()))('has %s as `node tests/helm/src/write.ts` writes it', (path, text) => {
    expect(read(path) === text, `${path} is out of date: node tests/helm/src/write.ts`).toBe(true)
  })

  it('has an edge that connects anew where a pod of the gateway or of the web application is gone', () => {
    const edge = read('helm/parley/files/edge.conf.template')
    for (const [upstream, address] of Object.entries({ gateway: 'GATEWAY_ADDRESS', web: 'WEB_ADDRESS' })) {
      const [servers = ''] = edge.split(`upstream ${upstream} {\n`)[1]?.split('\n}', 1) ?? []
      // As an only server an address would be tried once; one that failed would be left out for all.
      expect(servers.split('\n').length).toBeGreaterThanOrEqual(4)
      for (const server of servers.split('\n')) expect(server.trim()).toBe(`server \${${address}} max_fails=0;`)
      expect(edge).toContain(`proxy_pass http://${upstream};`)
    }
    expect(edge).not.toMatch(/proxy_pass http:\/\/\$/)
  })

  it('has an nginx whose memory does not grow with the machine, and that may open a file for each connection', () => {
    const nginx = read('helm/parley/files/nginx.conf')
    const numberOf = (directive: string): number => Number(nginx.match(new RegExp(`\\b${directive} (\\d+);`))?.[1])
    // Measured: with 4096 connections, an idle worker has 1.9 MB of its own. The web application's limit is 64 MB.
    expect(numberOf('worker_processes') * 1.9 * (numberOf('worker_connections') / 4096)).toBeLessThan(16)
    expect(numberOf('worker_rlimit_nofile')).toBeGreaterThanOrEqual(numberOf('worker_connections'))
  })

  it.each([
    ['default', '/api/chat'],
    ['~^/api/v1(/|$)', '/api/v1/models'],
    ['~^/api/v1/messages(/|$)', '/api/v1/messages'],
  ])('has an edge that answers for an unavailable gateway as a service would (%s)', (pattern, path) => {
    const edge = read('helm/parley/files/edge.conf.template')
    const [body] = edge.split(`    ${pattern} '`)[1]?.split("';\n", 1) ?? []
    expect(JSON.parse(body ?? '')).toEqual(errorAnswer(unavailable(), '$request_id', path, {}).body)
  })

  it('has values for every service and every other Deployment', () => {
    expect(Object.keys(values.services).sort()).toEqual(Object.keys(chartEntries()).sort())
  })

  it('uses the image digests of docker-compose.yml', () => {
    const compose = read('docker-compose.yml')
    for (const [name, image] of Object.entries(values.images)) {
      expect(compose).toContain(`\${${name.toUpperCase()}_IMAGE:-${image}}`)
    }
  })

  it('is upgraded, as its README says, with a time-out of helm that is longer than a migration may take', () => {
    const [, minutes] = /^helm upgrade .* --timeout (\d+)m\b/m.exec(read('helm/README.md')) ?? []
    expect(Number(minutes) * 60).toBeGreaterThan(values.migrations.deadlineSeconds)
  })

  it('has the version of the product', () => {
    const { version } = JSON.parse(read('package.json')) as { readonly version: string }
    expect(parse(read('helm/parley/Chart.yaml'))).toMatchObject({ version, appVersion: version })
  })
})
