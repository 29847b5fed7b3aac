import { useSession } from '../session/index.ts'

/** Whether who is here wants to see what models think; visitors do. */
export const useThoughtsShown = (): boolean => useSession((state) => state.user?.preferences.showThinking ?? true)
