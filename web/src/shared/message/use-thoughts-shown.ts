import { useSession } from '../session/index.ts'

/** Whether the viewer wants to see reasoning; visitors do. */
export const useThoughtsShown = (): boolean => useSession((state) => state.user?.preferences.showThinking ?? true)
