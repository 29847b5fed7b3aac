import { lazyPart } from '../../shared/lazy/index.ts'

export { useChatMemory } from './chat/use-chat-memory.tsx'

/** The panel, loaded on demand. */
export const MemoryPanel = lazyPart(async () => (await import('./panel/memory-panel.tsx')).MemoryPanel)
