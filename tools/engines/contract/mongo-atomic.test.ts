import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDuplicateKey, openMongo } from '@parley/db/mongo'
import { createLogger } from '@parley/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NativeEngine, startNativeMongo } from '../src/index.ts'

const writers = 40
const writesBeforeKill = 200
const kills = 4

let folder: string
let engine: NativeEngine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-native-'))
  engine = await startNativeMongo({ folder })
})
afterAll(async () => {
  await engine?.close()
  await rm(folder, { recursive: true, force: true })
})

test('a native MongoDB that is killed during many writes has each of them wholly or not at all', async () => {
  const mongo = openMongo({ url: `${engine.url}/words`, log: createLogger('mongo-atomic', 'silent') })
  const words = await mongo.collection<{ _id: string; by: number }>('words')
  await words.createIndex({ by: 1 })
  const tried: { readonly _id: string; readonly by: number }[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    const dead = Promise.withResolvers<void>()
    let written = 0
    const write = async (by: number): Promise<void> => {
      for (let nth = 0; ; nth += 1) {
        const word = { _id: `${kill}.${by}.${nth}`, by }
        tried.push(word)
        await words.insertOne(word)
        written += 1
        if (written === writesBeforeKill) dead.resolve(engine.kill('SIGKILL'))
      }
    }
    await Promise.allSettled(Array.from({ length: writers }, (_none, by) => write(by)))
    await dead.promise
    await engine.start()
  }
  for (const word of tried) {
    const [byId, byIndex] = [await words.findOne({ _id: word._id }), await words.findOne(word)]
    expect(byIndex).toEqual(byId)
    const again = await words.insertOne(word).then(
      () => 'inserted',
      (error: unknown) => isDuplicateKey(error) || error,
    )
    expect(again).toBe(byId === null ? 'inserted' : true)
  }
  await mongo.close()
})
