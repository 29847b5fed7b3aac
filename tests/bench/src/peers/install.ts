import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { peersDir, versions } from './places.ts'

// `node tests/bench/src/peers/install.ts`: installs the gateways to compare /v1 with, from their registries. The table names those that are missing.
const run = (command: string, ...args: string[]): void => {
  console.log([command, ...args].join(' '))
  execFileSync(command, args, { stdio: 'inherit' })
}
const install = (name: string, act: () => void): void => {
  try {
    act()
  } catch (error) {
    console.error(`${name} was not installed: ${String(error)}`)
    process.exitCode = 1
  }
}

mkdirSync(peersDir, { recursive: true })
install('Portkey', () => {
  const prefix = join(peersDir, 'portkey')
  run('npm', 'install', '--no-audit', '--no-fund', '--prefix', prefix, `@portkey-ai/gateway@${versions.portkey}`)
})
install('LiteLLM', () => {
  const environment = join(peersDir, 'litellm')
  run('python3', '-m', 'venv', environment)
  run(join(environment, 'bin/pip'), 'install', '--quiet', `litellm[proxy]==${versions.litellm}`)
})
