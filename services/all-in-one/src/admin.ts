import { presentRotation, resetPassword, rotateKeys } from '@parley/auth'
import { type AuthStores, openAuthStores } from '@parley/auth/stores'
import { createLogger } from '@parley/kit'
import { readAllInOneConfig } from './config.ts'
import { openDataDir } from './data-dir.ts'
import { withPostgres } from './with-postgres.ts'

/** What an operator may do, whether Parley runs or not. Each resolves to what is printed. @throws Error whose message is for the operator */
const commands: Readonly<Record<string, Command>> = {
  'reset-password': {
    usage: 'reset-password <username>',
    argumentCount: 1,
    async run({ stores, args: [username = ''] }) {
      const password = await resetPassword(stores, username)
      if (password === undefined) throw new Error(`There is no user ${username}`)
      return `New password of ${username}: ${password} (shown this once; all sessions are ended)`
    },
  },
  'rotate-keys': {
    usage: 'rotate-keys',
    argumentCount: 0,
    run: async ({ stores, secret }) => presentRotation(await rotateKeys(stores, secret)),
  },
}

interface Command {
  readonly usage: string
  readonly argumentCount: number
  run(given: { readonly stores: AuthStores; readonly secret: string; readonly args: string[] }): Promise<string>
}

const [name = '', ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (command === undefined || args.length !== command.argumentCount) {
  const usages = Object.values(commands).map(({ usage }) => `npm run admin -- ${usage}`)
  console.error(`Usage: ${usages.join('\n       ')}`)
  process.exit(2)
}
const config = readAllInOneConfig()
const log = createLogger('admin', config.LOG_LEVEL)
const data = await openDataDir(config.DATA_DIR, log)
try {
  const told = await withPostgres(data, log, async (url) => {
    const stores = openAuthStores({ url, log })
    try {
      return await command.run({ stores, secret: data.internalSecret, args })
    } finally {
      await stores.close()
    }
  })
  console.log(told)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
