import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const files = {
  'en/data.json': require.resolve('emojibase-data/en/data.json'),
  'en/messages.json': require.resolve('emojibase-data/en/messages.json'),
} as const

/** Puts the data of the emoji picker beside the application, at `/emoji/en/*.json`, so that it is not fetched from a foreign host. */
export function emojiData(): Plugin {
  return {
    name: 'parley-emoji-data',
    configureServer(server) {
      for (const [name, path] of Object.entries(files)) {
        server.middlewares.use(`/emoji/${name}`, (_, response, next) => {
          response.setHeader('content-type', 'application/json')
          readFile(path).then((data) => response.end(data), next)
        })
      }
    },
    async generateBundle() {
      for (const [name, path] of Object.entries(files)) {
        this.emitFile({ type: 'asset', fileName: `emoji/${name}`, source: await readFile(path) })
      }
    },
  }
}
