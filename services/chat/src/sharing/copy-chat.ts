import type { chatShareRoutes } from '@parley/contracts'
import { validationFailed } from '@parley/kit'
import type { z } from 'zod'
import type { Common } from '../common.ts'
import type { Quota } from '../storage/quota.ts'
import { planImport } from '../transfer/import-plan.ts'

export interface CopyingDeps extends Pick<Common, 'stores' | 'changes' | 'now' | 'newId'> {
  readonly quota: Quota
}

type Copied = z.output<NonNullable<typeof chatShareRoutes.copy.body>>

/**
 * Makes a chat of these messages, as new as any that begins now.
 * @returns its id
 * @throws AppError validation_failed when there is nothing to copy, and refusals by the account's bounds
 */
export async function copyChat(
  { stores, quota, changes, now, newId }: CopyingDeps,
  { userId, title, model, messages }: Copied,
): Promise<string> {
  const at = now()
  const source = {
    ...{ id: newId(), title, model, createdAt: at, updatedAt: at, leafId: null },
    messages: messages.map(({ role, content, createdAt }, nth) => ({
      id: String(nth),
      parentId: nth === 0 ? null : String(nth - 1),
      said: { role, content },
      at: new Date(createdAt),
    })),
  }
  const planned = planImport(userId, 'share', source, at)
  if (planned === undefined) throw validationFailed([{ path: 'messages', message: 'There’s nothing to copy.' }])
  const { chat } = planned
  await quota.refuseBytes(
    userId,
    messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
  )
  await quota.addChat(userId, () => stores.chats.add(chat, planned.messages))
  await changes.updated(chat)
  return chat.id
}
