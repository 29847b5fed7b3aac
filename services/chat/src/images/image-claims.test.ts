import { newId } from '@parley/kit'
import { expect, it } from 'vitest'
import type { Send } from '../store/entities.ts'
import { claimImage, type ImageClaimsDeps, tryId } from './image-claims.ts'

const minute = 60_000

it('an image that another request began is waited for, and made anew once its replica must be dead', async () => {
  let now = 10 * minute
  let began: Send = { id: 's', ownerId: 'u', clientMessageId: null, idempotencyKey: 'k', bodyHash: 'h' } as Send
  began = { ...began, messageId: tryId(newId, new Date(now)) }
  const deps = {
    stores: {
      sends: {
        claim: async () => ({ claimed: false, send: began }),
        retry: async () => true,
      },
    },
    files: { findMade: async () => undefined },
    waiters: {
      listen: () => ({
        next: async () => {
          now += minute
        },
        end: () => undefined,
      }),
    },
    timing: { lookMs: 1 },
    now: () => new Date(now),
    newId,
  } as unknown as ImageClaimsDeps
  now += minute
  const claim = await claimImage(deps, { ...began, messageId: tryId(newId, new Date(now)) })
  expect([claim.kind, claim.send.messageId === began.messageId, now]).toEqual(['make', false, 14 * minute])
})
