import { Readable } from 'node:stream'
import yazl from 'yazl'

/** A file of a ZIP, read when its turn has come. */
export interface ZippedFile {
  readonly path: string
  readonly content: () => AsyncIterable<Buffer>
}

/** Types that do not compress further. */
const packed = /\.(png|jpe?g|webp|pdf)$/i

/**
 * A ZIP of files as a stream that reads as fast as it is read. It fails when one of them cannot be read.
 * @param mtime of all of them
 */
export function zipOf(files: readonly ZippedFile[], mtime: Date): Readable {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error) => output.destroy(error))
  for (const { path, content } of files) {
    zip.addReadStreamLazy(path, { mtime, compress: !packed.test(path) }, (give) => {
      const read = Readable.from(content(), { objectMode: false })
      read.once('error', (error) => output.destroy(error))
      give(null, read)
    })
  }
  zip.end()
  return output
}
