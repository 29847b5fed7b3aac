export { enlarge } from './picture-store.ts'
export { PictureViewer } from './picture-viewer.tsx'
