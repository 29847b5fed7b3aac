import { busOpeners } from './bus-engines.ts'

const [engine = '', address = '', group = ''] = process.argv.slice(2)
const bus = await busOpeners[engine]?.(address)
await bus?.subscribe({
  group,
  handlers: {
    'auth.user-banned': ({ id }) => {
      process.stdout.write(`${id}\n`)
      return new Promise(() => undefined)
    },
  },
})
