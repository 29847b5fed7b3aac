import { expect, it } from 'vitest'
import { patienceBeside } from './open-mongo.ts'

it.each([
  ['mongodb://db/parley', { connectTimeoutMS: 2_000, waitQueueTimeoutMS: 2_000 }],
  ['mongodb://db/parley?replicaSet=rs&connectTimeoutMS=20000', { waitQueueTimeoutMS: 2_000 }],
  ['mongodb+srv://db/parley?connecttimeoutms=1&waitQueueTimeoutMS=5', {}],
])('the time that a MongoDB may take is 2 s unless its URL names one: %s', (url, patience) => {
  expect(patienceBeside(url)).toEqual(patience)
})
