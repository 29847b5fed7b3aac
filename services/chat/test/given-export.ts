import { newId } from '@parley/kit'
import { testEvent } from '@parley/testing'
import { expect } from 'vitest'
import type { GivenChat } from './given-chat.ts'

/** Has what chat keeps of a user brought to auth; resolves to the files. @param eventIds of the events that ask for it, one after the other */
export async function exportOf(
  given: GivenChat,
  userId: string,
  eventIds: readonly string[] = [newId()],
): Promise<ReadonlyMap<string, Buffer>> {
  const exportId = newId()
  const data = { userId, exportId }
  await given.bus.publish(eventIds.map((id) => testEvent('auth.data-export-requested', userId, data, id)))
  const { exports } = given.auth
  await expect.poll(() => exports.filesOf(exportId)).toBeDefined()
  return exports.filesOf(exportId) ?? new Map()
}
