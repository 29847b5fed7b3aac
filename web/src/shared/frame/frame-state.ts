import { create } from 'zustand'
import { readLocal, writeLocal } from '../session/index.ts'

interface FrameState {
  /** The sidebar of wide windows is hidden. */
  readonly collapsed: boolean
  /** The drawer of narrow windows is open. */
  readonly drawerOpen: boolean
}

const key = 'sidebar'

/** How the frame stands. */
export const useFrame = create<FrameState>(() => ({ collapsed: readLocal(key) === 'collapsed', drawerOpen: false }))

const wide = () => window.matchMedia('(min-width: 48rem)').matches

/** Shows or hides the sidebar: the column in a wide window, the drawer in a narrow one. */
export function toggleSidebar(): void {
  if (!wide()) {
    useFrame.setState(({ drawerOpen }) => ({ drawerOpen: !drawerOpen }))
    return
  }
  const collapsed = !useFrame.getState().collapsed
  writeLocal(key, collapsed ? 'collapsed' : null)
  useFrame.setState({ collapsed })
}

/** Closes the drawer, after something in it was chosen. */
export const closeDrawer = (): void => useFrame.setState({ drawerOpen: false })
