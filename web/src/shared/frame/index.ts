export { Frame, FrameHeader } from './frame.tsx'
export { closeDrawer, toggleSidebar } from './frame-state.ts'
