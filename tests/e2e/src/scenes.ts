import type { Person } from './people.ts'
import { chats } from './scenes/chats.ts'
import { composing } from './scenes/composer.ts'
import { conversation } from './scenes/conversation.ts'
import { ends } from './scenes/ends.ts'
import { entrance } from './scenes/entrance.ts'
import { finding, keeping } from './scenes/finding.ts'
import { privacy, profile } from './scenes/profile.ts'
import type { Scene } from './scenes/scene.ts'
import { threads } from './scenes/thread.ts'
import type { World } from './world.ts'

export type { Scene } from './scenes/scene.ts'

/** Ways in and out, and the settings. */
export const scenesOfAccounts: readonly Scene[] = [...entrance, ...profile, ...privacy, ...ends]

/** What leads to a chat. */
export const scenesOfLists: readonly Scene[] = [
  ...finding,
  ...[...chats, ...keeping].map((scene) => ({ ...scene, sidebar: true })),
]

/** What stands in a chat, and where it is written. */
export const scenesInChats: readonly Scene[] = [...conversation, ...threads, ...composing]

/** Every screen in every state that is designed for. */
export const scenes: readonly Scene[] = [...scenesOfAccounts, ...scenesOfLists, ...scenesInChats]

/** Who looks at a scene; undefined for a visitor. */
export const viewerOf = ({ who }: Scene, world: World): Person | undefined => who && world[who]
