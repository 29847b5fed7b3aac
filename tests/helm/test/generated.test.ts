import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { generatedFiles } from '../src/files.ts'
import { chartEntries } from '../src/services.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const values = parse(read('helm/parley/values.yaml')) as {
  readonly services: Readonly<Record<string, unknown>>
  readonly images: Readonly<Record<string, string>>
}

describe('the chart of Parley', () => {
  it.each(Object.entries(generatedFiles()))('has %s as `node tests/helm/src/write.ts` writes it', (path, text) => {
    expect(read(path) === text, `${path} is out of date: node tests/helm/src/write.ts`).toBe(true)
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

  it('has the version of the product', () => {
    const { version } = JSON.parse(read('package.json')) as { readonly version: string }
    expect(parse(read('helm/parley/Chart.yaml'))).toMatchObject({ version, appVersion: version })
  })
})
