import { expect, it } from 'vitest'
import { patienceBeside } from './open-mongo.ts'

it.each([
  ['mongodb://db/parley', { connectTimeoutMS: 2_000, waitQueueTimeoutMS: 5_000 }],
  ['mongodb://db/parley?replicaSet=rs&connectTimeoutMS=20000', { waitQueueTimeoutMS: 5_000 }],
  ['mongodb+srv://db/parley?connecttimeoutms=1&waitQueueTimeoutMS=5', {}],
])('MongoDB timeouts are 2 s unless set in the URL: %s', (url, patience) => {
  expect(patienceBeside(url)).toEqual(patience)
})
