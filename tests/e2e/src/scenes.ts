import type { Person } from './people.ts'
import { adminStates } from './scenes/admin-states.ts'
import { administration } from './scenes/administration.ts'
import { chats } from './scenes/chats.ts'
import { composing } from './scenes/composer.ts'
import { conversation } from './scenes/conversation.ts'
import { ends } from './scenes/ends.ts'
import { entrance } from './scenes/entrance.ts'
import { finding, keeping } from './scenes/finding.ts'
import { memories } from './scenes/memory.ts'
import { operations } from './scenes/operations.ts'
import { privacy, profile } from './scenes/profile.ts'
import type { Scene } from './scenes/scene.ts'
import { sharing } from './scenes/sharing.ts'
import { threads } from './scenes/thread.ts'
import { usage } from './scenes/usage.ts'
import type { World } from './world.ts'

export type { Scene } from './scenes/scene.ts'

/** Sign-in, registration, settings and error pages. */
export const scenesOfAccounts: readonly Scene[] = [...entrance, ...profile, ...usage, ...memories, ...privacy, ...ends]

/** The administration. */
export const scenesOfAdmins: readonly Scene[] = [...administration, ...operations]

/** Screens that lead to a chat. */
export const scenesOfLists: readonly Scene[] = [
  ...finding,
  ...sharing,
  ...[...chats, ...keeping].map((scene) => ({ ...scene, sidebar: true })),
]

/** The thread and the composer. */
export const scenesInChats: readonly Scene[] = [...conversation, ...threads, ...composing]

/** Every screen in every designed state. */
export const scenes: readonly Scene[] = [
  ...scenesOfAccounts,
  ...scenesOfAdmins,
  ...adminStates,
  ...scenesOfLists,
  ...scenesInChats,
]

/** The scene that this one continues. @throws Error for an unknown name */
export function continuedBy({ name, continues }: Scene, all: readonly Scene[]): Scene {
  const before = all.find((scene) => scene.name === continues)
  if (before === undefined) throw new Error(`${name} continues ${continues}, which is no scene`)
  return before
}

/** The viewer of a scene; undefined for a visitor. */
export const viewerOf = ({ who }: Scene, world: World): Person | undefined => who && world[who]
