import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { openSession } from '../src/session.ts'

/** A message of PostgreSQL's protocol. */
const said = (type: string, content: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}
const ready = said('Z', Buffer.from('I'))
const accepted = Buffer.concat([said('R', Buffer.alloc(4)), ready])
const refused = Buffer.concat([
  said('E', Buffer.from('SERROR\0C25006\0Mcannot execute LISTEN during recovery\0\0')),
  ready,
])

it('a connection on which the server refuses to listen, as a standby does, is closed', async () => {
  const closed: Promise<unknown>[] = []
  const server = createServer((socket) => {
    closed.push(once(socket, 'close'))
    socket.once('data', () => {
      socket.write(accepted)
      socket.once('data', () => socket.write(refused))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const session = openSession({
    url: `postgres://parley:secret@127.0.0.1:${port}/parley`,
    schema: 'chat',
    log: { warn: () => undefined } as never,
    onNotification: () => undefined,
    onLost: () => undefined,
  })
  for (let tries = 0; tries < 3; tries += 1) {
    await expect(session.query({ text: 'select 1' })).rejects.toThrow('during recovery')
  }
  expect(closed).toHaveLength(3)
  await Promise.all(closed)
  await session.close()
  server.close()
})
