import { type chatRoutes, idSchema } from '@parley/contracts'
import { notFound } from '@parley/kit'
import type { z } from 'zod'
import type { Common } from '../common.ts'
import { presentAttachment } from '../files/attachment.ts'
import { chatIsBusy } from '../refusals.ts'
import type { Quota } from '../storage/quota.ts'
import type { ThreadMessage } from '../store/entities.ts'
import type { FileMeta } from '../store/file-store.ts'
import type { FinishedMessage, MessageStore } from '../store/message-store.ts'
import { inPortions, portionsOf } from '../transfer/portions.ts'
import { plainEnding, plainMessage } from './plain-message.ts'

export interface MergeDeps extends Pick<Common, 'stores' | 'now'> {
  readonly quota: Quota
}

/** A chat in the form a client sends. Any other claims of its messages are ignored. */
export type ClientThread = z.output<typeof chatRoutes.merge.body & {}> & { readonly ownerId: string }

/**
 * Keeps what of a client's thread the chat does not have: what the user wrote, and images that the server made for the user. Everything else is left
 * out, and nothing that is there changes. Resolves to what was kept, in order.
 * @throws AppError not_found when the chat is gone, conflict while an answer of it is being written, payload_too_large when the account has no room
 */
export async function mergeThread(deps: MergeDeps, thread: ClientThread): Promise<readonly FinishedMessage[]> {
  const { messages } = deps.stores
  const { chatId, ownerId } = thread
  // Read first: a concurrent merge of the same messages changes which messages these would follow.
  const [shown] = await messages.path(chatId, 'shown', 1)
  const brought = await unknownOf(deps, thread)
  if (brought.length === 0) return []
  const added = await finished(deps, thread, brought, shown)
  if (added.length === 0) return []
  await deps.quota.refuseBytes(ownerId)
  const outcome = await messages.append(chatId, ownerId, added, { follows: shown?.id ?? null })
  switch (outcome) {
    case 'appended':
      return added
    case 'gone':
      throw notFound()
    case 'busy':
      throw chatIsBusy()
    case 'moved':
      // Another window was faster, perhaps with some of the same messages.
      return await mergeThread(deps, thread)
    default:
      return outcome satisfies never
  }
}

async function unknownOf({ stores }: MergeDeps, thread: ClientThread): Promise<ClientThread['messages']> {
  const named = thread.messages.filter(({ id }) => idSchema.safeParse(id).success)
  const known = new Set(await stores.messages.existing(named.map(({ id }) => id)))
  return named.filter(({ id }, nth) => !known.has(id) && named.findIndex((other) => other.id === id) === nth)
}

async function finished(
  deps: MergeDeps,
  thread: ClientThread,
  brought: ClientThread['messages'],
  shown: ThreadMessage | undefined,
): Promise<FinishedMessage[]> {
  const images = await generatedImages(deps, thread, brought)
  // Later than the messages it follows, whatever the clocks say.
  const after = Math.max(deps.now().getTime(), (shown?.createdAt.getTime() ?? 0) + 1)
  return brought.flatMap((message, nth) => {
    const createdAt = new Date(after + nth)
    const image = images.get(message.id)
    if (image !== undefined) return imageMessage(message.id, image, createdAt)
    if (message.role !== 'user' || message.content.trim() === '') return []
    return { ...plainMessage, id: message.id, role: 'user', content: message.content, model: thread.model, createdAt }
  })
}

const fileReference = /\/api\/chat\/files\/([A-Za-z0-9_-]{1,64})/g

/** The images of the user's that these answers show and the chat does not have, by the id of the answer. */
async function generatedImages(
  { stores: { messages, files }, now }: MergeDeps,
  { chatId, ownerId }: ClientThread,
  brought: ClientThread['messages'],
): Promise<Map<string, FileMeta>> {
  const shownBy = brought
    .filter(({ role }) => role === 'assistant')
    .map((message) => ({
      id: message.id,
      files: textsIn(message).flatMap((text) => [...text.matchAll(fileReference)].map(([, id]) => id ?? '')),
    }))
  const asked = [...new Set(shownBy.flatMap((message) => message.files))]
  if (asked.length === 0) return new Map()
  const made = (await files.find(asked, ownerId)).filter((file) => file.made !== null)
  const here = await imagesOf(messages, chatId)
  const free = new Map(made.filter(({ id }) => !here.has(id)).map((file) => [file.id, file]))
  const found = new Map<string, FileMeta>()
  for (const message of shownBy) {
    const id = message.files.find((each) => free.has(each))
    const file = free.get(id ?? '')
    if (file === undefined) continue
    free.delete(file.id)
    found.set(message.id, file)
  }
  await files.attach(
    chatId,
    ownerId,
    [...found.values()].map(({ id }) => id),
    now(),
  )
  return found
}

/** Every text within a value, however deep that is. */
function textsIn(value: unknown): string[] {
  const texts: string[] = []
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') texts.push(next)
    else if (typeof next === 'object' && next !== null) for (const each of Object.values(next)) open.push(each)
  }
  return texts
}

async function imagesOf(messages: MessageStore, chatId: string): Promise<Set<string>> {
  const holders = (await messages.outline(chatId)).filter(({ hasAttachments }) => hasAttachments)
  const images = new Set<string>()
  for await (const portion of inPortions(messages, chatId, portionsOf(holders))) {
    for (const { id } of portion.flatMap(({ attachments }) => attachments)) images.add(id)
  }
  return images
}

const imageMessage = (id: string, file: FileMeta, createdAt: Date): FinishedMessage => ({
  ...plainMessage,
  id,
  role: 'assistant',
  content: '',
  attachments: [presentAttachment(file, { name: file.name })],
  model: file.made?.model ?? null,
  ending: plainEnding({ credits: { charged: file.made?.credits ?? 0, remaining: 0 } }),
  createdAt,
})
