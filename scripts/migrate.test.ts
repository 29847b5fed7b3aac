import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const migrate = (...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'migrate.ts'), ...args], { encoding: 'utf8', env: {} })

it('npm run migrate fails if the migration does, and for the name of a service without a store', () => {
  expect(migrate('billing')).toMatchObject({ status: 1, stderr: expect.stringContaining('POSTGRES_URL') })
  expect(migrate('gateway')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^Usage: .* auth \| billing \|/),
  })
})
