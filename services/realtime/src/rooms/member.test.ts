import { expect, it } from 'vitest'
import type { Connection } from '../sockets/connection.ts'
import { createMember } from './member.ts'

it('a connection for which ever more is queued while its chat is being read is closed', () => {
  const ended: string[] = []
  const acts: number[] = []
  const member = createMember({ end: (code: string) => void ended.push(code) } as unknown as Connection)
  for (let nth = 0; nth < 1_000; nth += 1) member.enqueue(() => void acts.push(nth))
  expect([ended, acts]).toEqual([[], []])
  member.enqueue(() => undefined)
  expect(ended).toEqual(['unavailable'])
})

it('a connection that is muted while it reads an answer gets what waited for its end', () => {
  const member = createMember({ isOpen: () => true } as unknown as Connection)
  const answer = { messageId: 'm1', streamId: 'm1', emissions: [], hasEnded: () => false, fail: () => undefined }
  const acts: string[] = []
  member.release({ answer, seq: 0 })
  member.enqueueAfter('m1', () => void acts.push('message'))
  expect(acts).toEqual([])
  member.setMuted(true)
  expect(acts).toEqual(['message'])
})
