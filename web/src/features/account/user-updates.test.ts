import { describe, expect, it } from 'vitest'
import { parseUserUpdate, readUserUpdates, reconnectDelay } from './user-updates.ts'

const streamOf = (...pieces: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })

describe('updates of the signed-in user', () => {
  it('reads events cut at any byte and passes over comments and unknown ones', async () => {
    const bytes = new TextEncoder().encode(
      ': ping\n\ndata: {"type":"other"}\n\ndata: {"type":"user:update","isBanned":true,"isAdmin":false}\n\n',
    )
    for (let cut = 1; cut < bytes.length; cut += 7) {
      const seen: unknown[] = []
      let signs = 0
      await readUserUpdates(
        streamOf(bytes.slice(0, cut), bytes.slice(cut)),
        (update) => seen.push(update),
        () => signs++,
      )
      expect(seen).toEqual([{ type: 'user:update', isBanned: true, isAdmin: false }])
      expect(signs).toBe(2)
    }
  })

  it.each(['', '{', 'null', '{"type":"user:update","isBanned":"yes","isAdmin":false}'])('ignores %j', (data) => {
    expect(parseUserUpdate(data)).toBeNull()
  })

  it('waits longer after each failure, within half a second and five', () => {
    expect([0, 1, 2, 3, 9].map((failures) => reconnectDelay(failures, 1))).toEqual([500, 1000, 2000, 4000, 5000])
    expect(reconnectDelay(9, 0)).toBe(2500)
  })
})
