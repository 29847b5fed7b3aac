import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

/** The files of a ZIP by path. @throws Error for a corrupt ZIP, path traversal or a duplicate path */
export async function unzip(zip: Uint8Array): Promise<ReadonlyMap<string, Buffer>> {
  const opened = await fromBufferPromise(Buffer.from(zip), { strictFileNames: true })
  const files = new Map<string, Buffer>()
  for await (const entry of opened.eachEntry()) {
    if (files.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice`)
    files.set(entry.fileName, await buffer(await opened.openReadStreamPromise(entry)))
  }
  return files
}
