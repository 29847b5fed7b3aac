import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = [
  'docker-compose.yml',
  'deploy/Dockerfile',
  'deploy/web.Dockerfile',
  'tools/engines/src/config.ts',
] as const

/** An image with name, tag and digest. */
const pinned = /^[a-z][\w./-]*:[\w.-]+@sha256:[0-9a-f]{64}$/
/** `X_IMAGE=…` of a Dockerfile, `${X_IMAGE:-…}` of compose, `X_IMAGE: z.string().default('…')` of a schema. */
const declared = /\b([A-Z]+_IMAGE)(?:=|:-|:\s*z\s*\.string\(\)\s*\.default\(')([^\s}']+)/g
/** `image: …` of compose and `FROM …` of a Dockerfile, except for own images, variables, anchors and earlier stages. */
const literal = /^\s*(?:image:|FROM) +(?!\*|\$|(?:base|installed|runtime)\b)(\S+)/gm

interface Image {
  readonly variable: string
  readonly reference: string
}

const declaredIn = (text: string): Image[] =>
  [...text.matchAll(declared)].map(([, variable = '', reference = '']) => ({ variable, reference }))
const literalsIn = (text: string): string[] => [...text.matchAll(literal)].map(([, reference = '']) => reference)

describe('third-party container images', () => {
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'))
  const images = texts.flatMap(declaredIn)

  it('are declared with a digest', () => {
    expect(images.filter(({ reference }) => !pinned.test(reference))).toEqual([])
  })

  it('have one digest each, wherever they are declared', () => {
    const byVariable = Map.groupBy(images, ({ variable }) => variable)
    const different = [...byVariable].filter(([, all]) => new Set(all.map(({ reference }) => reference)).size > 1)
    expect(different).toEqual([])
    expect([...byVariable.keys()].sort()).toEqual([
      'KAFKA_IMAGE',
      'MONGO_IMAGE',
      'NGINX_IMAGE',
      'NODE_IMAGE',
      'POSTGRES_IMAGE',
      'REDIS_IMAGE',
    ])
    expect(byVariable.get('NODE_IMAGE')?.length).toBe(3)
    expect(byVariable.get('POSTGRES_IMAGE')?.length).toBe(2)
  })

  it('can be named otherwise for the image that the bake file adds to those of compose', () => {
    const bake = readFileSync(join(root, 'deploy/docker-bake.hcl'), 'utf8')
    const needed = declaredIn(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')).map(({ variable }) => variable)
    expect(needed).toEqual(['NODE_IMAGE'])
    for (const variable of needed) {
      expect(bake).toContain(`variable "${variable}"`)
      expect(bake).toMatch(new RegExp(`args .*\\b${variable} = ${variable}\\b`))
    }
  })

  it('are named nowhere else', () => {
    expect(texts.flatMap(literalsIn)).toEqual([])
  })

  it('are matched by these patterns when they are not pinned', () => {
    expect(literalsIn('FROM node:24 AS base\n    image: redis:7\n    image: *redis-image\nFROM $NODE_IMAGE')).toEqual([
      'node:24',
      'redis:7',
    ])
    expect(declaredIn('ARG NODE_IMAGE=node:24\nREDIS_IMAGE:-redis:7}').map(({ reference }) => reference)).toEqual([
      'node:24',
      'redis:7',
    ])
    expect(pinned.test('redis:7')).toBe(false)
  })
})
