import { allServices } from './services.ts'
import { withRuntime } from './with-runtime.ts'

/** The operator's commands of all services, whether Parley is running or not. */
const commands = allServices.flatMap((definition) =>
  Object.entries(definition.commands ?? {}).map(([name, command]) => ({ name, command, definition })),
)
const [name, ...args] = process.argv.slice(2)
const chosen = commands.find((one) => one.name === name && one.command.parameters.length === args.length)
if (chosen === undefined) {
  const usages = commands.map(({ name, command }) => ['npm run admin --', name, ...command.parameters].join(' '))
  console.error(`Usage: ${usages.join('\n       ')}`)
  process.exit(2)
}
const { command, definition } = chosen
try {
  const printed = await withRuntime('admin', async ({ depsOf }) => command.run(await depsOf(definition), args))
  console.log(printed)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
