import type { Plugin } from 'vite'
import { firstChunkNames } from './first-chunks.ts'

/**
 * Asks for all functions of a first visit's chunks to be compiled while these load, beside the main thread: otherwise each is compiled when it is called, which is a
 * quarter of the main thread's work, since most of them are. Chromium does so; for other browsers it is a comment. It must be the first line of a file.
 */
export function compileHints(): Plugin {
  return {
    name: 'parley-compile-hints',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const part of Object.values(bundle))
          if (part.type === 'chunk' && firstChunkNames.has(part.name))
            part.code = `//# allFunctionsCalledOnLoad\n${part.code}`
      },
    },
  }
}
