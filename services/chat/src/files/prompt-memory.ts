import { unavailable } from '@parley/kit'

const megabyte = 1024 * 1024
/**
 * Bytes of files in the prompts of running answers: in all, and of one user. A prompt is in memory several times over, here and at llm-router, until its
 * answer ends. The largest one has 40 MB of files.
 */
export const promptBounds = { all: 96 * megabyte, owner: 48 * megabyte }
export type PromptBounds = Readonly<typeof promptBounds>

/** The files in the prompts of this replica's running answers. */
export type PromptMemory = ReturnType<typeof createPromptMemory>
/** The files of one prompt. */
export type HeldPrompt = ReturnType<PromptMemory['hold']>

/** Empty at first. */
export function createPromptMemory({ all, owner }: PromptBounds) {
  const owners = new Map<string, number>()
  let total = 0
  const count = (ownerId: string, bytes: number): void => {
    total += bytes
    const ofOwner = (owners.get(ownerId) ?? 0) + bytes
    if (ofOwner === 0) owners.delete(ownerId)
    else owners.set(ownerId, ofOwner)
  }
  return {
    hold(ownerId: string) {
      let held = 0
      let isOver = false
      return {
        /** Counts files that are about to be read. @throws AppError unavailable if there is no room for them */
        add(bytes: number): void {
          if (isOver || bytes === 0) return
          if (total + bytes > all || (owners.get(ownerId) ?? 0) + bytes > owner) throw unavailable()
          count(ownerId, bytes)
          held += bytes
        },
        /** None is held any more. Idempotent. */
        release(): void {
          isOver = true
          count(ownerId, -held)
          held = 0
        },
      }
    },
  }
}
