import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** Endings of files that are text; fonts are compressed already. */
const textEndings = new Set(['.js', '.css', '.html', '.json', '.svg'])
/** Bytes below which a file fits into one packet as it is. */
const minBytes = 1024
/** Files that are compressed at once: as many as Node has threads for it. */
const atOnce = 4

/** The two levels above it take the first `npm start` half a minute more, for a fifteenth less. */
const brotliQuality = 9

const compressions = [
  {
    ending: '.br',
    compress: (data: Buffer) =>
      promisify(brotliCompress)(data, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
          [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
        },
      }),
  },
  { ending: '.gz', compress: (data: Buffer) => promisify(gzip)(data, { level: constants.Z_BEST_COMPRESSION }) },
] as const

/** Leaves beside each text of the build the same by brotli (`.br`) and gzip (`.gz`), so that servers need not compress it for each visit. */
export function precompress(): Plugin {
  return {
    name: 'parley-precompress',
    apply: 'build',
    enforce: 'post',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }) {
        if (dir === undefined) throw new Error('The build names no folder to write to')
        const entries = await readdir(dir, { recursive: true, withFileTypes: true })
        const texts = entries.filter((entry) => entry.isFile() && textEndings.has(extname(entry.name)))
        const paths = texts.map(({ parentPath, name }) => join(parentPath, name)).values()
        // They share one list, so that a long file holds nobody else up.
        await Promise.all(Array.from({ length: atOnce }, () => compressAll(paths)))
      },
    },
  }
}

async function compressAll(paths: Iterable<string>): Promise<void> {
  for (const path of paths) {
    const data = await readFile(path)
    if (data.length < minBytes) continue
    for (const { ending, compress } of compressions) await writeFile(path + ending, await compress(data))
  }
}
